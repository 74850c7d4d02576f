import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries } from "@pulumi-ovn/sandbox";
import { difference, NO_DIFFERENCE, tablesOf } from "../support/dump";
import { blue, program, WORKLOADS } from "../support/network";
import { pulumiOvn } from "../support/pulumi-ovn";
import { restored } from "../support/ovsdb-server";
import { Workspace } from "../support/workspace";
import { TestZones } from "../support/zones";

jest.setTimeout(600_000);

let zones: TestZones;
let workspace: Workspace;
beforeAll(async () => {
  zones = await TestZones.start(["node1"]);
  workspace = await Workspace.create(program(blue(["node1"])), zones.config);
});
afterAll(async () => {
  await workspace?.[Symbol.asyncDispose]();
  await zones?.stop();
});

const nbctl = (...args: string[]) => zones.nbctl("node1", ...args);

/** Adds rows of another writer to the routers and the switch of the stack. */
const theirs = async () => {
  await nbctl("lrp-add", "blue_transit_router", "byhand", "0a:58:00:00:00:01", "10.9.9.1/24");
  await nbctl("lr-route-add", "blue_transit_router", "10.77.0.0/16", "10.9.9.2");
  await nbctl("lr-policy-add", "GR_blue_node1", "555", "ip4.dst == 10.77.0.1", "drop");
  await nbctl("lsp-add", "blue_ovn_layer2_switch", "foreign", "--", "set", "logical_router", "GR_blue_node1", "options:theirs=1", "external_ids:theirs=2");
};

/** Runs `pulumi-ovn drift`, with the ovsdb-tool of the tests on PATH. */
const drift = async (...options: string[]) => {
  const tool = (await binaries()).command("ovsdb-tool", []);
  const bin = join(workspace.folder, "bin");
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, "ovsdb-tool"), `#!/bin/sh\nexec ${[tool.file, ...tool.args].join(" ")} "$@"\n`, { mode: 0o755 });
  return pulumiOvn(["drift", "--stack", "dev", ...options], { ...workspace.environment, PATH: `${bin}:${workspace.environment.PATH}` }, workspace.folder);
};

/** Four differences by hand: three rows of one resource, and the only row of another. */
const reportsDrift = async () => {
  const [rows, state] = [await zones.northbound(), await workspace.stateText()];
  const metrics = join(workspace.folder, "drift.prom");
  const text = await drift("--metrics", metrics);
  expect([text.code, text.stderr]).toEqual([2, ""]);
  expect(text.stdout.replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "TIME")).toBe(`trial/dev: 4 differences in 3 of 4 resources

zone node1
  GatewayRouter blue-gateway-node1
  ~ Logical_Router GR_blue_node1: options:chassis=elsewhere instead of options:chassis=node1
      written by ovn-nbctl: ovn-nbctl set logical_router_port trtos-blue_ovn_layer2_switch "mac=\\"0a:58:00:00:00:99\\"" -- set logical_router GR_blue_node1 options:chassis=elsewhere, TIME UTC
  + NAT GR_blue_node1 snat 203.203.0.0/16: missing
      written by ovn-nbctl: ovn-nbctl lr-nat-del GR_blue_node1 snat 203.203.0.0/16, TIME UTC
  Layer2Gateway blue-topology-node1
  ~ Logical_Router_Port trtos-blue_ovn_layer2_switch: mac=0a:58:00:00:00:99 instead of mac=0a:58:cb:cb:00:01
      written by ovn-nbctl: ovn-nbctl set logical_router_port trtos-blue_ovn_layer2_switch "mac=\\"0a:58:00:00:00:99\\"" -- set logical_router GR_blue_node1 options:chassis=elsewhere, TIME UTC
  WorkloadPorts blue-workloads-node1
  + everything: missing

"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -
`);
  const labels = '{project="trial",stack="dev"}';
  expect((await readFile(metrics, "utf8")).split("\n").filter((line) => !line.startsWith("#") && !line.includes("timestamp"))).toEqual([
    `pulumi_ovn_drift_compared_resources${labels} 4`,
    `pulumi_ovn_drift_drifted_resources${labels} 3`,
    `pulumi_ovn_drift_skipped_resources${labels} 0`,
    `pulumi_ovn_drift_failed_resources${labels} 0`,
    'pulumi_ovn_drift_differences{project="trial",stack="dev",target="node1",kind="GatewayRouter",name="blue-gateway-node1"} 2',
    'pulumi_ovn_drift_differences{project="trial",stack="dev",target="node1",kind="Layer2Gateway",name="blue-topology-node1"} 1',
    'pulumi_ovn_drift_differences{project="trial",stack="dev",target="node1",kind="WorkloadPorts",name="blue-workloads-node1"} 1',
    "",
  ]);
  const json = await drift("--json");
  const { drifted, ...rest } = JSON.parse(json.stdout) as { drifted: { kind: string; zone: string; differences: { label: string; repair: string }[] }[] };
  expect([json.code, rest]).toEqual([2, { version: 1, project: "trial", stack: "dev", compared: 4, skipped: [], failed: [] }]);
  expect(drifted.flatMap(({ kind, zone, differences }) => differences.map(({ label, repair }) => `${zone} ${kind}: ${repair} ${label}`)).sort()).toEqual([
    "node1 GatewayRouter: add NAT GR_blue_node1 snat 203.203.0.0/16",
    "node1 GatewayRouter: change Logical_Router GR_blue_node1",
    "node1 Layer2Gateway: change Logical_Router_Port trtos-blue_ovn_layer2_switch",
    "node1 WorkloadPorts: add everything",
  ]);
  expect((await drift("--markdown")).stdout).toContain("### trial/dev: 4 differences in 3 of 4 resources\n\n**`zone node1`**\n\n```diff\n  GatewayRouter");

  // A zone that can't be reached is an error, whatever else drifted.
  await workspace.target({ node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere" } });
  const lost = await drift();
  await workspace.target(zones.config);
  expect(lost.code).toBe(1);
  expect(lost.stdout).toMatch(
    /^! WorkloadPorts blue-workloads-node1: not compared: OVSDB_CONNECTION: WorkloadPorts "blue-workloads-node1" in zone "node1" \(unix:\/nowhere\): /m,
  );
  expect(difference(rows, await zones.northbound())).toEqual(NO_DIFFERENCE);
  expect(await workspace.stateText()).toBe(state);
};

it("shows and repairs manual changes and deletions, and keeps rows of other writers", async () => {
  await workspace.up();
  await theirs();
  const whole = await zones.northbound();

  // Rows that others added are not drift.
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 9 });
  expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
  expect(await drift()).toEqual({ code: 0, stdout: "trial/dev: no drift in 4 resources\n", stderr: "" });
  const unchanged = await workspace.must("preview", "--diff", "--refresh", "--stack", "dev");
  expect(unchanged).toContain("9 unchanged");
  expect(unchanged).not.toContain("digest");

  await nbctl(
    "set",
    "logical_router_port",
    "trtos-blue_ovn_layer2_switch",
    'mac="0a:58:00:00:00:99"',
    "--",
    "set",
    "logical_router",
    "GR_blue_node1",
    "options:chassis=elsewhere",
  );
  await nbctl("lr-nat-del", "GR_blue_node1", "snat", "203.203.0.0/16");
  await nbctl("lsp-del", "vm1");
  const drifted = difference(whole, await zones.northbound());
  expect(tablesOf(drifted.removed)).toEqual(["node1 Logical_Switch_Port", "node1 NAT"]);
  await reportsDrift();

  const refresh = await workspace.must("refresh", "--diff", "--preview-only", "--stack", "dev");
  expect(refresh).toContain('+ Logical_Router_Port trtos-blue_ovn_layer2_switch: "mac=0a:58:00:00:00:99 instead of mac=0a:58:cb:cb:00:01"');
  expect(refresh).toMatch(/\+ Logical_Router GR_blue_node1 *: "options:chassis=elsewhere instead of options:chassis=node1"/);
  expect(refresh).toMatch(/\+ NAT GR_blue_node1 snat 203\.203\.0\.0\/16 *: "missing"/);
  expect(refresh).toMatch(/^ +- pulumi-nodejs:dynamic\/ovn:WorkloadPorts: \(delete\)$/m);
  expect(refresh).toMatch(/~ 2 to update\n +- 1 to delete\n +3 changes\. 6 unchanged/);

  const preview = await workspace.must("preview", "--diff", "--refresh", "--stack", "dev");
  expect(preview).toMatch(/~ Logical_Router_Port trtos-blue_ovn_layer2_switch mac *: "mac=0a:58:00:00:00:99" => "mac=0a:58:cb:cb:00:01"/);
  expect(preview).toMatch(
    /~ Logical_Router GR_blue_node1 options *: "options:always_learn_from_arp_request=false options:chassis=elsewhere [^"]*" => "[^"]*options:chassis=node1 [^"]*"/,
  );
  expect(preview).toMatch(/\+ NAT GR_blue_node1 snat 203\.203\.0\.0\/16 *: "type=snat external_ip=172\.18\.0\.11 logical_ip=203\.203\.0\.0\/16 [^"]*"/);
  expect(preview).toMatch(/\+ pulumi-nodejs:dynamic\/ovn:WorkloadPorts: \(create\)/);

  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ create: 1, update: 3, same: 5 }); // and waited until the zone had followed
  expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 9 });

  // A resource less: what others have stays where it is.
  await workspace.write(program(blue(["node1"], { workloads: {} })));
  await workspace.up();
  const fewer = difference(whole, await zones.northbound());
  expect([fewer.added, tablesOf(fewer.removed)]).toEqual([[], ["node1 Logical_Switch_Port"]]);
  expect(Object.values(fewer.changed)).toEqual([["ports"]]);

  // A router cannot be deleted while it contains rows of another writer: they would be deleted silently.
  const refused = await workspace.run("destroy", "--yes", "--skip-preview", "--continue-on-error", "--stack", "dev");
  expect(refused.code).not.toBe(0);
  expect(refused.stdout).toMatch(
    /OVN_NOT_EMPTY: Layer2Gateway "blue-topology-node1" in zone "node1" \(unix:\S+\): Logical_Router blue_transit_router still holds Logical_Router_(Port "byhand"|Static_Route) \(\S+\) without an owner mark and 1 more, which would vanish with it; remove what others put there first/,
  );
  expect(await nbctl("lr-route-list", "blue_transit_router")).toMatch(/10\.77\.0\.0\/16 +10\.9\.9\.2 dst-ip/);
  expect(await nbctl("lr-policy-list", "GR_blue_node1")).toMatch(/555 +ip4\.dst == 10\.77\.0\.1 +drop/);

  await nbctl("lrp-del", "byhand", "--", "lr-route-del", "blue_transit_router", "--", "lr-policy-del", "GR_blue_node1", "--", "lsp-del", "foreign");
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(await nbctl("show")).toBe("");
});

it("continues with a database that was restored from a backup, where each row has another UUID", async () => {
  await workspace.write(program(blue(["node1"])));
  await workspace.up();
  await theirs();
  await restored(zones.centrals["node1"]!.northbound, "OVN_Northbound");
  const whole = await zones.northbound();

  // The refresh must report the new UUID of another resource that a change of the program uses.
  await workspace.write(program(blue(["node1"], { workloads: { vm1: WORKLOADS["vm1"]!, vm9: { node: "node1", addresses: ["203.203.0.90"] } } })));
  const early = await workspace.must("up", "--yes", "--skip-preview", "--stack", "dev");
  expect(early).toMatch(/warning: .*: 1 row of other resources has another UUID than in the state, .* \[OVN_WARN_MOVED\]/);
  const more = difference(whole, await zones.northbound());
  expect([tablesOf(more.added), more.removed]).toEqual([["node1 Logical_Switch_Port"], []]);
  expect(await nbctl("lsp-list", "blue_ovn_layer2_switch")).toContain("(vm9)");
  await workspace.write(program(blue(["node1"])));
  await workspace.up();
  expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);

  const refresh = await workspace.must("refresh", "--yes", "--skip-preview", "--stack", "dev");
  expect(refresh).toMatch(
    /warning: .*blue-topology-node1: \d+ rows have other UUIDs than in the state, as after a restore from a backup; .* \[OVN_WARN_MOVED\]/,
  );
  expect(refresh).not.toMatch(/delete|drift/);
  await workspace.up();
  expect(difference(whole, await zones.northbound())).toEqual(NO_DIFFERENCE);
  expect(await workspace.changes("up", "--yes", "--skip-preview", "--refresh")).toEqual({ same: 9 });

  await nbctl("lrp-del", "byhand", "--", "lr-route-del", "blue_transit_router", "--", "lr-policy-del", "GR_blue_node1", "--", "lsp-del", "foreign");
  await restored(zones.centrals["node1"]!.northbound, "OVN_Northbound");
  await workspace.must("destroy", "--yes", "--skip-preview", "--stack", "dev");
  expect(tablesOf([...(await zones.northbound()).keys()])).toEqual(["node1 NB_Global"]);
});
