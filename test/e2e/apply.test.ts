import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { join } from "node:path";
import { ApplyStack, idIn } from "../support/apply-stack";
import { difference, NO_DIFFERENCE } from "../support/dump";
import { ended, startGuard } from "../support/guard";
import { startPulumiOvn } from "../support/pulumi-ovn";
import { until } from "../support/until";
import { finished, type Workspace } from "../support/workspace";
import type { TestZones } from "../support/zones";

// The life of one stack over two zones: approved plans, confirmed and undone applies.
jest.setTimeout(600_000);

let stack: ApplyStack;
let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  stack = await ApplyStack.start(program(1));
  ({ zones, workspace } = stack);
  await workspace.up();
});
afterAll(() => stack?.[Symbol.asyncDispose]());

/** A switch with other ports in each version, and in one zone an address set. */
function program(version: number): string {
  const ports = {
    [`vm${version}`]: { addresses: [`203.203.0.1${version}`], tunnelKey: 20 + version },
    both: { addresses: [`203.203.0.2${version}`], tunnelKey: 30 },
  };
  return `
for (const zone of ["node1", "node2"]) {
  const sw = new ovn.Layer2Switch("sw-" + zone, { zone, name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 16715800 });
  new ovn.WorkloadPorts("ports-" + zone, { zone, switch: sw.uuid, ports: ${JSON.stringify(ports)} });
}
new ovn.NorthboundRows("set", { zone: "node2", entries: { set: { table: "Address_Set", columns: { name: "set${version}", addresses: ["10.0.0.${version}"] } } } });`;
}

const cli = (...args: string[]) => stack.cli(...args);
const apply = (...args: string[]) => stack.apply(...args);
/** Lines of an apply after the preview. */
const linesOf = ({ stdout }: { stdout: string }) => {
  const lines = stdout.trimEnd().split("\n");
  const own = lines.slice(lines.findIndex((line) => /^apply \w{8}/.test(line)));
  // The engine decides which zone is first.
  return own.map((line) => line.replace(/zone "node\d"/, "a zone"));
};

const HOST = "a process on the database's host, which survives the end of this command and of the connection";

it("applies an approved plan and no other, confirmed by a probe", async () => {
  await workspace.write(program(2));
  expect((await cli("diff", "--stack", "dev", "--save", "plan.json")).code).toBe(0);
  await workspace.write(program(3));
  const before = await stack.everything();
  const other = await apply("--plan", "plan.json");
  expect([other.code, other.stderr]).toEqual([
    1,
    `pulumi-ovn apply: OVN_PLAN_DIFFERS: the change is not the one in plan.json; nothing is changed:
- zone node1: WorkloadPorts ports-node1:   + addresses="0a:58:cb:cb:00:16 203.203.0.22"
- zone node1: WorkloadPorts ports-node1:   + port_security="0a:58:cb:cb:00:16 203.203.0.22"
- zone node1: WorkloadPorts ports-node1: + Logical_Switch_Port vm2: addresses="0a:58:cb:cb:00:0c 203.203.0.12" port_security="0a:58:cb:cb:00:0c 203.203.0.12" options:requested-tnl-key=22
- zone node2: NorthboundRows set: ~ Address_Set set2 (was set1)
- zone node2: NorthboundRows set:   + addresses=10.0.0.2
- zone node2: WorkloadPorts ports-node2:   + addresses="0a:58:cb:cb:00:16 203.203.0.22"
- zone node2: WorkloadPorts ports-node2:   + port_security="0a:58:cb:cb:00:16 203.203.0.22"
- zone node2: WorkloadPorts ports-node2: + Logical_Switch_Port vm2: addresses="0a:58:cb:cb:00:0c 203.203.0.12" port_security="0a:58:cb:cb:00:0c 203.203.0.12" options:requested-tnl-key=22
+ zone node1: WorkloadPorts ports-node1:   + addresses="0a:58:cb:cb:00:17 203.203.0.23"
+ zone node1: WorkloadPorts ports-node1:   + port_security="0a:58:cb:cb:00:17 203.203.0.23"
+ zone node1: WorkloadPorts ports-node1: + Logical_Switch_Port vm3: addresses="0a:58:cb:cb:00:0d 203.203.0.13" port_security="0a:58:cb:cb:00:0d 203.203.0.13" options:requested-tnl-key=23
+ zone node2: NorthboundRows set: ~ Address_Set set3 (was set1)
+ zone node2: NorthboundRows set:   + addresses=10.0.0.3
+ zone node2: WorkloadPorts ports-node2:   + addresses="0a:58:cb:cb:00:17 203.203.0.23"
+ zone node2: WorkloadPorts ports-node2:   + port_security="0a:58:cb:cb:00:17 203.203.0.23"
+ zone node2: WorkloadPorts ports-node2: + Logical_Switch_Port vm3: addresses="0a:58:cb:cb:00:0d 203.203.0.13" port_security="0a:58:cb:cb:00:0d 203.203.0.13" options:requested-tnl-key=23
`,
  ]);
  await stack.expectSame(before);
  // An apply that was killed before its first change has left a file.
  await mkdir(join(workspace.folder, ".pulumi-ovn"));
  const command = { pid: spawnSync("true").pid, host: hostname() };
  await writeFile(join(workspace.folder, ".pulumi-ovn/apply-00000000.json"), JSON.stringify({ stack: "dev", changing: [], state: {}, targets: 1, command }));
  await workspace.write(program(2));
  // A reviewer must not approve lines that are not those of the change.
  const { lines, ...plan } = JSON.parse(await readFile(join(workspace.folder, "plan.json"), "utf8")) as { lines: string[] };
  await writeFile(join(workspace.folder, "edited.json"), JSON.stringify({ ...plan, lines: lines.slice(1) }));
  const edited = await apply("--plan", "edited.json");
  expect([edited.code, edited.stderr.split("\n").slice(1)]).toEqual([1, [`+ ${lines[0]}`, ""]]);
  const confirmed = await apply("--plan", "plan.json", "--revert-in", "120", "--probe", "true");
  const id = idIn(confirmed.stdout)!;
  expect([confirmed.code, confirmed.stderr]).toEqual([0, ""]);
  expect(linesOf(confirmed).map((line) => line.replace(/\d{4}-\S+Z/, "TIME").replace(/[\d.]+ s$/, "N s"))).toEqual([
    `apply ${id}: undone at TIME unless it is confirmed`,
    `  OVN_Northbound of a zone: the undo waits in ${HOST}`,
    `  OVN_Northbound of a zone: the undo waits in ${HOST}`,
    "update: 3 same, 3 update in N s",
    `confirmed apply ${id}`,
  ]);
  await stack.expectNothingLeft(id);
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 6 });
});

it("changes nothing if the probe fails already, and undoes everything if it fails after the change", async () => {
  await workspace.write(program(3));
  const before = await stack.everything();
  const early = await apply("--revert-in", "30", "--probe", "echo no way; false");
  expect([early.code, early.stderr]).toEqual([
    1,
    'pulumi-ovn apply: OVN_APPLY_PROBE: fails already, before any change: probe "echo no way; false": it ended with exit code 1: no way\n',
  ]);
  await stack.expectNothingLeft();
  // Succeeds before the change and fails after it.
  const marker = join(workspace.folder, "changed");
  const undone = await apply("--revert-in", "25", "--probe", `test ! -e ${marker}; code=$?; touch ${marker}; exit $code`);
  const id = idIn(undone.stdout)!;
  expect([undone.code, undone.stderr, linesOf(undone).slice(-5)]).toEqual([
    1,
    "",
    [
      expect.stringMatching(/^! probe "test .*": it ended with exit code 1$/),
      `undoing apply ${id}`,
      "undone: OVN_Northbound of a zone",
      "undone: OVN_Northbound of a zone",
      "the state of stack dev is as before",
    ],
  ]);
  await stack.expectSame(before);
  await stack.expectNothingLeft(id);
});

it.each([
  ["the update", "if (!pulumi.runtime.isDryRun()) setTimeout(() => undefined, 15_000);", () => "true"],
  ["a probe", "", (folder: string) => `test ! -e ${folder}/first || { touch ${folder}/second; sleep 600; }; touch ${folder}/first`],
])("is undone immediately if a signal interrupts %s", async (_title, more, probe) => {
  const { folder } = workspace;
  const before = await stack.everything();
  await workspace.write(`${program(5)}\n${more}`);
  const running = startPulumiOvn(["apply", "--stack", "dev", "--revert-in", "600", "--probe", probe(folder)], stack.environment, folder);
  const result = finished(running);
  await until(async () => (more === "" ? existsSync(join(folder, "second")) : (await zones.nbctl("node2", "list", "Address_Set")).includes("set5")));
  running.kill("SIGINT");
  const interrupted = await result;
  const id = idIn(interrupted.stdout)!;
  expect([interrupted.code, linesOf(interrupted).slice(-6)]).toEqual([
    1,
    [
      "interrupted: ending the update, then undoing it; press Ctrl-C again to leave the undo to the deadline",
      "! interrupted",
      `undoing apply ${id}`,
      "undone: OVN_Northbound of a zone",
      "undone: OVN_Northbound of a zone",
      "the state of stack dev is as before",
    ],
  ]);
  await stack.expectSame(before);
  await stack.expectNothingLeft(id);
});

it("is undone by the hosts when no one confirms, refuses others meanwhile, and the next command puts the state back", async () => {
  const before = await stack.everything();
  const pending = await apply("--revert-in", "25", "--no-auto-confirm");
  const id = idIn(pending.stdout)!;
  expect([pending.code, linesOf(pending).at(-1)]).toEqual([0, expect.stringMatching(`^probes succeed; run "pulumi-ovn confirm ${id}" before `)]);
  const listed = await cli("pending", "--stack", "dev", "--json");
  expect((JSON.parse(listed.stdout) as { applies: object[] }).applies).toMatchObject([
    { zone: "node1", id, phase: "pending", stack: "trial/dev", rows: 3 },
    { zone: "node2", id, phase: "pending", stack: "trial/dev", rows: 4 },
  ]);
  await workspace.write(program(4));
  const other = await workspace.run("up", "--yes", "--skip-preview", "--stack", "dev");
  expect(other.stdout).toMatch(
    new RegExp(
      `OVN_APPLY_PENDING: NorthboundRows "set" in zone "node2" \\(unix:\\S+\\): apply ${id} of stack trial/dev by \\S+ is pending; run "pulumi-ovn confirm ${id}" or "pulumi-ovn cancel ${id}" first`,
    ),
  );
  // Another writer changes a row, and a server restarts.
  await zones.nbctl("node1", "set", "Logical_Switch_Port", "both", `addresses="0a:00:00:00:00:01"`);
  await zones.centrals["node2"]!.kill("northbound");
  await zones.centrals["node2"]!.start("northbound");
  for (const zone of ["node1", "node2"])
    await until(async () => (await zones.nbctl(zone, "get", "NB_Global", ".", "external_ids")).includes('apply-phase"=undone'));
  expect((await cli("pending", "--stack", "dev")).stdout).toMatch(
    new RegExp(
      `^${id} undone: OVN_Northbound of zone "node1", 0 rows, .*\\n {2}! Logical_Switch_Port both was changed by another writer, and stays\\n${id} undone: `,
    ),
  );
  // As before, for the comparison.
  const former = `"0a:58:cb:cb:00:16 203.203.0.22"`;
  await zones.nbctl("node1", "set", "Logical_Switch_Port", "both", `addresses=${former}`, `port_security=${former}`);
  await workspace.write(program(2));
  const next = await apply("--revert-in", "30");
  expect(next.stdout).toContain(
    `apply ${id} was undone in OVN_Northbound of zone "node1"\n  ! Logical_Switch_Port both was changed by another writer since, and stays\napply ${id} was undone in OVN_Northbound of zone "node2"\n`,
  );
  await stack.expectSame(before);
  await stack.expectNothingLeft(id);
});

it("is undone by a guard, which survives its own death, where the host has no ovsdb-client", async () => {
  stack.environment = workspace.environment;
  const before = await stack.everything();
  await workspace.write(program(6));
  const alone = await apply("--revert-in", "60", "--probe", "true");
  expect(alone.stdout).toContain('OVN_Northbound of zone "node1": the undo waits in this command only');
  await workspace.write(program(2));
  expect((await apply()).code).toBe(0);
  const first = await startGuard(workspace.folder, stack.environment);
  await workspace.write(program(6));
  const pending = await apply("--revert-in", "15", "--no-auto-confirm");
  const id = idIn(pending.stdout)!;
  expect(pending.stdout).toContain('OVN_Northbound of zone "node1": the undo waits in pulumi-ovn guard');
  await ended(first, "SIGKILL");
  const second = await startGuard(workspace.folder, stack.environment);
  try {
    for (const zone of ["node1", "node2"])
      await until(async () => (await zones.nbctl(zone, "get", "NB_Global", ".", "external_ids")).includes('apply-phase"=undone'));
    expect((await cli("cancel", id, "--stack", "dev")).stdout).toContain("the state of stack dev is as before");
  } finally {
    await ended(second, "SIGTERM");
  }
  expect(difference(before.rows, await zones.northbound())).toEqual(NO_DIFFERENCE);
  await stack.expectNothingLeft(id);
});

/** A network that expects one workload to reach another one, and an ACL. */
const network = (dropped: number) => `
const outside = (n) => ({ addresses: ["172.18.0." + n + "/24"], nextHops: ["172.18.0.1"] });
const blue = new ovn.Layer2Network("blue", {
  name: "blue", subnets: ["203.203.0.0/16"], tunnelKeys: { switch: 16715779, router: 16715780 }, waitFor: "none",
  nodes: { node1: { id: 2, tunnelAddresses: ["172.18.0.11"], external: outside(11) }, node2: { id: 3, tunnelAddresses: ["172.18.0.12"], external: outside(12) } },
  workloads: { web: { node: "node1", addresses: ["203.203.0.21"] }, db: { node: "node2", addresses: ["203.203.0.22"] } },
});
ovn.expect(blue, { from: "web", to: "db", protocol: "tcp", port: 22, reach: true });
new ovn.NorthboundRows("rules", { zone: "node2", entries: { drop: {
  table: "ACL",
  columns: { direction: "to-lport", priority: 1000, match: 'outport == "db" && tcp.dst == ${dropped}', action: "drop" },
  parent: { table: "Logical_Switch", row: "blue_ovn_layer2_switch", column: "acls" },
} } }, { dependsOn: blue });`;

it("undoes a change that breaks an intent on the live databases, which an option leaves out", async () => {
  await workspace.write(network(80));
  await workspace.up();
  await workspace.write(network(22));
  const before = await stack.everything();
  const broken = await apply("--revert-in", "20");
  expect(linesOf(broken)).toEqual([
    expect.stringMatching(/^apply /),
    expect.stringMatching(/^ {2}OVN_Northbound of a zone: the undo waits in /),
    expect.stringMatching(/^update: /),
    expect.stringMatching(/^! intent of Layer2Network blue: .*22/),
    expect.stringMatching(/^undoing apply /),
    "undone: OVN_Northbound of a zone",
    "the state of stack dev is as before",
  ]);
  await stack.expectSame(before);
  expect(await apply("--revert-in", "60", "--no-intents")).toMatchObject({ code: 0, stderr: "" });
  await workspace.write(network(23).replace("203.203.0.21", "203.203.0.31"));
  const failing = await apply("--revert-in", "60");
  expect([failing.code, failing.stdout]).toEqual([
    0,
    expect.stringMatching(/^fails already, so it can't undo the change: intent of Layer2Network blue: .*22/m),
  ]);
});
