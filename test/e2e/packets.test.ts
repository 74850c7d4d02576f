import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries, failed, prove, type Sandbox, up } from "@pulumi-ovn/sandbox";
import { runOrFail } from "@pulumi-ovn/sandbox/testing";
import { type Dump, difference, parseDump } from "../support/dump";
import { Flows } from "../support/flows";
import { blue, program, WORKLOADS } from "../support/network";
import { Workspace } from "../support/workspace";

jest.setTimeout(600_000);

let sandbox: Sandbox;
let workspace: Workspace;
beforeAll(async () => {
  sandbox = await up({ name: "e2e-packets" });
  workspace = await Workspace.create(program(blue(), "chassis"), sandbox.zones);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await sandbox?.down();
});

async function dump(database: "OVN_Northbound" | "OVN_Southbound"): Promise<Dump> {
  const programs = await binaries();
  const dumps = Object.entries(sandbox.zones).map(async ([name, { northbound, southbound }]) => {
    const endpoint = database === "OVN_Northbound" ? northbound : southbound;
    return parseDump(
      await runOrFail(programs.command("ovsdb-client", ["--format=json", "dump", endpoint, database]), { env: { ...process.env, ...programs.env } }),
      name,
    );
  });
  return new Map((await Promise.all(dumps)).flat());
}

const exec = async (place: string, ...argv: string[]): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.exec(place, argv, { timeout: 30_000 });
  if (code !== 0) throw new Error(`${argv.join(" ")} in ${place} exited ${code}: ${stdout}${stderr}`);
  return stdout;
};

/** Until packets pass: the first ones are lost while neighbours are resolved. */
const ping = (from: string, to: string) => exec(from, "ping", "-n", "-c1", "-w10", to);

/** Changes an address as the workload's operator would. The routes are deleted with the old address. */
async function readdress(place: string, from: string, to: string): Promise<void> {
  await exec(place, "ip", "addr", "del", from, "dev", "eth0");
  await exec(place, "ip", "addr", "add", to, "dev", "eth0");
  await exec(place, "ip", "route", "replace", "default", "via", "203.203.0.1");
}

/** Sends a line by TCP, and returns what came back: the line, and the sender's address as the listener saw it. */
async function tcp(from: string, to: string, address: string): Promise<string> {
  const listener = `const s = require("net").createServer((c) => c.once("data", (d) => c.end(d + " from " + c.remoteAddress.replace("::ffff:", "")))).listen(7777, "::", () => console.log("listening"));`;
  const sender = `const c = require("net").connect(7777, "${address}", () => c.write("hello")); c.on("data", (d) => console.log(String(d)));`;
  const server = await sandbox.spawn(to, [process.execPath, "-e", listener]);
  try {
    await new Promise<void>((resolve) => server.process.stdout!.once("data", () => resolve()));
    return (await exec(from, process.execPath, "-e", sender)).trim();
  } finally {
    server.signal("SIGKILL");
    await server.exit;
  }
}

/** vm2 gets another address, is deleted with its node, and added again. */
async function changeOthers(): Promise<void> {
  await workspace.write(
    program(
      blue(undefined, { workloads: { ...WORKLOADS, vm2: { node: "node2", addresses: ["203.203.0.99", "2010:100:200::12"], mac: "0a:58:cb:cb:00:12" } } }),
      "chassis",
    ),
  );
  await workspace.up();
  await readdress("vm2", "203.203.0.18/16", "203.203.0.99/16");
  await ping("vm3", "203.203.0.99");
  await ping("vm2", "203.203.0.17");

  await workspace.write(program(blue(["node1", "node3"]), "chassis"));
  await workspace.up();
  expect((await sandbox.exec("vm1", ["ping", "-n", "-c1", "-W1", "203.203.0.99"])).code).toBe(1);
  expect(await exec("node2", "ovn-nbctl", "show")).toBe("");

  await readdress("vm2", "203.203.0.99/16", "203.203.0.18/16");
  await workspace.write(program(blue(), "chassis"));
  await workspace.up();
  await ping("vm1", "203.203.0.18");
}

/** Harmless messages of northd about correct rows. */
const HARMLESS = [
  // The other one is the port's own chassis-redirect port.
  "Logical router port trtos-blue_ovn_layer2_switch requests same tunnel key 1 as another LSP or LRP",
  // A node's chassis goes a moment before the ports that were on it.
  "Unknown chassis 'node2' set in options:requested-chassis on LSP 'vm2'.",
];

it("carries packets over three hosts while other VPCs are created, changed and deleted", async () => {
  const [emptyNorth, emptySouth] = [await dump("OVN_Northbound"), await dump("OVN_Southbound")];
  await workspace.up();

  // Ping of both families across hosts, north-south through the own host's gateway router seen at ext, one gateway MAC.
  const proof = await prove(sandbox);
  expect(failed(proof)).toEqual([]);
  expect(proof).toHaveLength(14);
  expect(await tcp("vm1", "vm2", "203.203.0.18")).toBe("hello from 203.203.0.17");
  expect(await tcp("vm2", "vm3", "2010:100:200::13")).toBe("hello from 2010:100:200::12");

  const packet =
    'inport=="vm1" && eth.src==0a:58:cb:cb:00:11 && eth.dst==0a:58:cb:cb:00:12 && ip4 && ip4.src==203.203.0.17 && ip4.dst==203.203.0.18 && ip.ttl==64 && icmp4';
  expect(await exec("node1", "ovn-trace", "--minimal", "blue_ovn_layer2_switch", packet)).toMatch(/output\("vm2"\)/);

  // While vm1 and vm3 talk, vm2 gets another address, is removed with its whole node, and is added again. In parallel, the two hosts
  // talk past OVN over the same switches: packets lost there are lost by the machine.
  const over = ["node1", "node3"];
  const talk = { protocol: "icmp", over } as const;
  await using flows = await Flows.start(sandbox, [
    { name: "vm1 to vm3", kind: "east-west", from: "vm1", to: "203.203.0.19", ...talk },
    { name: "node1 to node3", kind: "control", from: "node1", to: "198.18.0.3", ...talk },
    { name: "node3 to node1", kind: "control", from: "node3", to: "198.18.0.1", ...talk },
  ]);
  await flows.stage("changes of others", changeOthers);
  const report = await flows.end();
  expect(report.beyondControl(["changes of others"])).toEqual([]);
  expect(report.measured("changes of others")[0]!.sent).toBeGreaterThan(100);

  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  for (const { name } of sandbox.hosts) await exec(name, "ovn-nbctl", "--wait=sb", "sync");
  expect(difference(emptyNorth, await dump("OVN_Northbound"))).toMatchObject({ added: [], removed: [], changed: {} });
  expect(difference(emptySouth, await dump("OVN_Southbound"))).toMatchObject({ added: [], removed: [] });
  for (const { name } of sandbox.hosts) {
    const warnings = (await readFile(join(sandbox.folder, name, "ovn-northd.log"), "utf8"))
      .split("\n")
      .filter((line) => /\|(WARN|ERR)\|/.test(line) && !HARMLESS.some((text) => line.endsWith(text)));
    expect(warnings).toEqual([]);
  }
});
