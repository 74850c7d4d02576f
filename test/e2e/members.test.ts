import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { difference, type Dump, NO_DIFFERENCE, tablesOf } from "../support/dump";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

const NAMES = ["node1", "node2", "node3"];
/** Five in each zone, the network and its lists, the stack. */
const RESOURCES = 5 * NAMES.length + 3;

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(NAMES, { northd: false });
  workspace = await Workspace.create(program(), zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const VMS = ["vm1", "vm2", "vm3"];
const nodesOf = (names: readonly string[]) =>
  Object.fromEntries(
    names.map((name, index) => [name, { id: index + 2, tunnelAddresses: [`198.18.0.${index + 1}`], external: { addresses: [`172.18.0.${index + 11}/24`] } }]),
  );

/** Makes switches as the release before did, whose kind had another name: rows are marked with it. */
const asNamedBefore = `
  const text = require(${JSON.stringify(join(projectRoot, "provider/dist/kit/provider-text.js"))});
  const { typeToken } = text;
  text.formerTypes = () => [];
  text.typeToken = (kind) => typeToken(kind === "Layer2Switch" ? "LayerTwoSwitch" : kind);`;

/** Addresses end with 16 + the number in the name; the workload is on the node of that number, or on the first. */
function program(vms = VMS, change: object = {}): string {
  const workloads = Object.fromEntries(
    vms.map((vm) => [vm, { node: NAMES[Number(vm.slice(2)) - 1] ?? "node1", addresses: [`203.203.0.${16 + Number(vm.slice(2))}`] }]),
  );
  return `new ovn.Layer2Network("blue", ${JSON.stringify({ name: "blue", subnets: ["203.203.0.0/16"], tunnelKeys: [16715779, 16715780], waitFor: "none", nodes: nodesOf(NAMES), workloads, ...change })});`;
}

const rows = async (): Promise<Dump> =>
  new Map([...(await zones.northbound()), ...[...(await zones.southbound())].map(([row, columns]) => [`southbound ${row}`, columns] as const)]);
const portsOf = async (zone: string) =>
  (await zones.nbctl(zone, "--bare", "--columns=name", "find", "logical_switch_port", "type!=router", "type!=localnet")).split("\n").filter(Boolean).sort();
/** Names of resources whose outputs have their arguments as one text. */
const packed = async () =>
  (await workspace.state()).resources
    .filter(({ outputs }) => typeof outputs?.__arguments === "string")
    .map((resource) => resource.urn.split("::").at(-1)!)
    .sort();
const urn = (kind: string, name: string) => `urn:pulumi:dev::trial::ovn:network:Layer2Network$pulumi-nodejs:dynamic/ovn:${kind}::${name}`;
const target = (kind: string, name: string) => ["--target", urn(kind, name)];
const members = target("NetworkMembers", "blue-members");
const quiet = ["--yes", "--skip-preview"];

it("continues with a state of the previous release, in which each zone has all lists, and changes no row", async () => {
  await workspace.write(`${asNamedBefore}\n${program()}`);
  expect(await workspace.changes("up", ...quiet)).toEqual({ create: RESOURCES });
  await workspace.write(program());
  const whole = await rows();
  const state = join(workspace.folder, "old.json");
  await copyFile(join(__dirname, "states/network-0.1.0.json"), state);
  await workspace.must("stack", "import", "--stack", "dev", "--file", state);

  expect(await workspace.changes("refresh", ...quiet)).toEqual({ same: RESOURCES - 1 });
  expect(await workspace.changes("up", ...quiet)).toEqual({ create: 1, same: RESOURCES - 1 });
  // The kind has another name since; rows keep the mark under which they were made.
  const { resources } = await workspace.state();
  const switches = resources.filter(({ type }) => /:Layer(2|Two)Switch$/.test(type));
  expect(switches.map(({ urn: found, outputs }) => [found, outputs!.owner]).sort()).toEqual(
    NAMES.map((zone) => [urn("Layer2Switch", `blue-switch-${zone}`), urn("LayerTwoSwitch", `blue-switch-${zone}`)]),
  );
  expect(difference(whole, await rows())).toEqual(NO_DIFFERENCE);
  expect(await workspace.changes("refresh", ...quiet)).toEqual({ same: RESOURCES });
  // Outputs stay in the form in which they were made.
  expect(await packed()).toEqual(["blue-members"]);

  // Updates compare with the rows in the old outputs.
  await workspace.write(program(["vm1", "vm2", "vm3", "vm4"]));
  const preview = await workspace.must("preview", "--diff", "--stack", "dev");
  expect(preview).toMatch(/\+ vm4: {\n/);
  expect(preview).toMatch(/~ 4 to update\n +14 unchanged/);
  expect(await workspace.changes("up", ...quiet)).toEqual({ update: 4, same: RESOURCES - 4 });
  const more = difference(whole, await rows());
  expect([tablesOf(more.added), more.removed]).toEqual([NAMES.map((name) => `${name} Logical_Switch_Port`), []]);
  expect(Object.values(more.changed)).toEqual([["ports"], ["ports"], ["ports"]]);
  expect(await packed()).toEqual(["blue-members", ...NAMES.map((zone) => `blue-workloads-${zone}`)]);
  expect(await workspace.changes("up", ...quiet)).toEqual({ same: RESOURCES });
});

it("stores a list once: a zone's part of the state does not grow with other zones", async () => {
  const { resources } = await workspace.state();
  const holding = resources.filter((resource) => (JSON.stringify(resource.outputs) ?? "").includes("203.203.0.20"));
  expect(holding.map(({ type }) => type)).toEqual(["pulumi-nodejs:dynamic/ovn:NetworkMembers"]);
  const ports = resources.find((resource) => resource.urn.endsWith("::blue-workloads-node2"))!;
  expect(ports.inputs).toMatchObject({ members: expect.stringMatching(/^workloads of blue-members: 4, digest \S{16}$/) });
  expect(ports.inputs).not.toHaveProperty("ports");
  expect(Object.keys(ports.outputs).sort()).toEqual(["__arguments", "__provider", "digest", "owner", "revision", "zone"]);
  expect(ports.outputs.__arguments).toBe(
    JSON.stringify({ members: (ports.inputs as { members: string }).members, switch: (ports.inputs as { switch: string }).switch }),
  );
});

it("applies with --target all that needs no lists, and names the missing target", async () => {
  const ports = target("WorkloadPorts", "blue-workloads-node2");
  await workspace.write(program(["vm1", "vm2", "vm3", "vm4"], { externalIds: { who: "me" } }));
  const refused = await workspace.run("up", ...quiet, "--stack", "dev", ...ports);
  expect([refused.code, refused.stdout]).toEqual([
    1,
    expect.stringContaining(`this operation leaves out the resource that holds them: add --target '${urn("NetworkMembers", "blue-members")}' [OVN_MEMBERS]`),
  ]);
  expect(await workspace.changes("up", ...quiet, ...ports, ...members)).toMatchObject({ update: 1 });
  expect(await zones.nbctl("node2", "get", "logical_switch_port", "vm4", "external_ids:who")).toBe("me");
  expect(await zones.nbctl("node1", "get", "logical_switch_port", "vm4", "external_ids")).not.toContain("who");

  // Deleted by mark; the next update makes it again.
  await workspace.write(program(["vm1", "vm2", "vm3", "vm4"]));
  await workspace.must("destroy", ...quiet, "--stack", "dev", ...ports);
  expect([await portsOf("node2"), await portsOf("node1")]).toEqual([[], ["vm1", "vm2", "vm3", "vm4"]]);
  await workspace.up();
  expect([await portsOf("node2"), await zones.nbctl("node2", "get", "logical_switch_port", "vm4", "external_ids")]).toEqual([
    ["vm1", "vm2", "vm3", "vm4"],
    expect.not.stringContaining("who"),
  ]);
});

it("completes interrupted updates of three lists, also after a refresh", async () => {
  const before = await rows();
  // The list is in the state, and no zone has followed: what a run that was killed leaves.
  await workspace.write(program(["vm1", "vm6"]));
  await workspace.up(...members);
  expect(difference(before, await rows())).toEqual(NO_DIFFERENCE);
  await workspace.write(program(["vm1", "vm7"]));
  await workspace.up(...members);
  await workspace.write(program(["vm1", "vm7"], { nodes: nodesOf(["node1", "node2"]) }));
  await workspace.up("--refresh");
  for (const name of ["node1", "node2"]) {
    expect(await portsOf(name)).toEqual(["vm1", "vm7"]);
    expect((await zones.nbctl(name, "--bare", "--columns=name", "list", "logical_router_port")).split("\n").filter((port) => port.includes("node3"))).toEqual(
      [],
    );
  }
  expect(await zones.nbctl("node3", "show")).toBe("");
  expect([...(await zones.southbound())].filter(([, columns]) => JSON.stringify(columns).includes("198.18.0.3"))).toEqual([]);
});

it("is destroyed without a list, and leaves nothing", async () => {
  await workspace.must("destroy", ...quiet, "--stack", "dev");
  for (const name of NAMES) expect(await zones.nbctl(name, "show")).toBe("");
  expect([...(await zones.southbound())].filter(([row]) => / (Chassis|Encap) /.test(row))).toEqual([]);
});
