import { existsSync } from "node:fs";
import { join } from "node:path";
import { expectNoRecords, hostImage, objectsImage } from "../support/apply-places";
import { idIn } from "../support/apply-stack";
import { TestCluster } from "../support/kubernetes";
import { pulumiOvn } from "../support/pulumi-ovn";
import { Switches } from "../support/switches";
import { until } from "../support/until";
import { Workspace } from "../support/workspace";

jest.setTimeout(600_000);

// Applies that change flows, host rows and objects in one plan.
const switches = Switches.of({ name: "apply-hosts", hosts: 2, workloads: [] });
let cluster: TestCluster;
let workspace: Workspace;
beforeAll(async () => {
  await switches.bridge("node1", "theirs", "p1", "p2");
  cluster = await TestCluster.kept();
  await cluster.namespace("app");
  workspace = await Workspace.create(program(1), {});
  await workspace.target({}, { prod: cluster.target() }, switches.sandbox.targets.hosts);
  await workspace.up();
}, 180_000);
afterAll(() => workspace?.[Symbol.asyncDispose]());

function program(version: number, vpc = "blue", key = 1001): string {
  return `
new ovn.Vpc("${vpc}", {
  name: "${vpc}", hosts: { node1: { tunnelAddress: "198.18.0.1" }, node2: { tunnelAddress: "198.18.0.2" } }, virtualRouter: { host: "node2" }, datapathType: "netdev", agent: true,
  tiers: { web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: ${key} } },
  workloads: { web${version}: { tier: "web", host: "node1", mac: "0a:00:00:00:01:0${version}", addresses: ["10.1.1.1${version}"] } },
});
new ovn.BridgeFlows("flows", { host: "node1", bridges: [{ bridge: "theirs", flows: ["priority=${version},in_port=p1,actions=p2", "table=3,actions=drop"] }] });
const map = (name) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "app" }, data: { version: "${version}" } });
new ovn.KubernetesObjects("set", { cluster: "prod", objects: { stays: map("stays"), other: map("other${version}") } });`;
}

const cli = (...args: string[]) => pulumiOvn(args, workspace.environment, workspace.folder);
const apply = (...args: string[]) => cli("apply", "--stack", "dev", ...args);
/** A probe that succeeds once, before the change. */
const once = (name: string): string => `test ! -e ${name}; code=$?; touch ${name}; exit $code`;
const sh = (script: string) => switches.on("node1", "sh", "-c", script);

/** Bridges, ports, flows and files of the host; data of the objects; the state. */
async function everything() {
  const folder = switches.sandbox.targets.hosts["node1"]!.agentFolder!;
  return {
    host: await hostImage(switches, "node1"),
    files: await sh(`cd ${folder} && for file in $(ls); do echo $file $(cat $file); done`),
    objects: await objectsImage(cluster, "app"),
    state: (await workspace.state()).resources.map(({ urn, inputs, outputs }) => ({ urn, inputs, outputs })),
  };
}

async function expectNothingLeft(): Promise<void> {
  await expectNoRecords(switches, ["node1"], cluster);
  expect(existsSync(join(workspace.folder, ".pulumi-ovn"))).toBe(false);
}

it("undoes flows, host rows and objects if a probe fails after the change, and keeps them if it succeeds", async () => {
  const before = await everything();
  await workspace.write(program(2));
  const undone = await apply("--revert-in", "20", "--probe", once("changed"));
  const id = idIn(undone.stdout)!;
  expect([undone.code, undone.stderr]).toEqual([1, ""]);
  expect(undone.stdout).toContain('Open_vSwitch of host "node1": the undo waits in a process on the database\'s host');
  expect(undone.stdout).toContain('cluster "prod": the undo waits in this command only');
  const lines = undone.stdout.trimEnd().split("\n");
  expect(lines.slice(lines.indexOf(`undoing apply ${id}`) + 1).sort()).toEqual(
    ['undone: Open_vSwitch of host "node1"', 'undone: cluster "prod"', "the state of stack dev is as before"].sort(),
  );
  expect(await everything()).toEqual(before);
  await expectNothingLeft();

  // An approved plan is applied, and no other one of flows and objects.
  expect((await cli("diff", "--stack", "dev", "--save", "plan.json")).code).toBe(0);
  await workspace.write(program(3));
  const other = await apply("--plan", "plan.json");
  expect([other.code, other.stderr.split("\n")[0]]).toEqual([
    1,
    "pulumi-ovn apply: OVN_PLAN_DIFFERS: the change is not the one in plan.json; nothing is changed:",
  ]);
  expect(other.stderr).toMatch(/^- host node1: BridgeFlows flows: .*[\s\S]*^\+ host node1: BridgeFlows flows: /m);
  expect(other.stderr).toMatch(/^- cluster prod: KubernetesObjects set: .*other2[\s\S]*^\+ cluster prod: KubernetesObjects set: .*other3/m);
  expect(await everything()).toEqual(before);
  await workspace.write(program(2));
  const confirmed = await apply("--plan", "plan.json", "--revert-in", "120", "--probe", "true");
  expect([confirmed.code, confirmed.stderr]).toEqual([0, ""]);
  await expectNothingLeft();
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 7 });
});

it("restores a Vpc, and deletes the one that has replaced it, with their bridges, ports, flows and fragment modes", async () => {
  const before = await everything();
  await workspace.write(program(2, "green", 1002));
  const { code, stdout } = await apply("--revert-in", "40", "--probe", once("replaced"));
  expect([code, stdout]).toEqual([1, expect.not.stringContaining("and stays")]);
  expect(stdout).toMatch(/^update: 4 create, 4 delete, /m);
  expect(await everything()).toEqual(before);
  await expectNothingLeft();
});

it("is undone by the host and the next command, and refuses other updates until then", async () => {
  const before = await everything();
  await workspace.write(program(1));
  const pending = await apply("--revert-in", "25", "--no-auto-confirm");
  const id = idIn(pending.stdout)!;
  expect(pending.code).toBe(0);
  await workspace.write(program(3));
  const { stdout } = await workspace.run("up", "--yes", "--skip-preview", "--continue-on-error", "--stack", "dev");
  for (const resource of ["LogicalRouterBridge", "BridgeFlows", "KubernetesObjects"])
    expect(stdout).toMatch(new RegExp(`OVN_APPLY_PENDING: .*${resource}.*apply ${id}`));
  await until(async () => (await sh("ovs-vsctl get Open_vSwitch . external_ids")).includes('apply-phase"=undone'));
  await workspace.write(program(2));
  const canceled = await cli("cancel", id, "--stack", "dev");
  expect(canceled.stdout).toContain("the state of stack dev is as before");
  expect(await everything()).toEqual(before);
  await expectNothingLeft();
});
