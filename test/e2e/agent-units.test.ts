import { Connections, targetsOf } from "@pulumi-ovn/provider/targets";
import { bySocket } from "../support/bgp-tables";
import { becomes, BgpFabric } from "../support/bgp-fabric";
import { HeldResource } from "../support/held-resource";
import { liveSandbox } from "../support/live-sandbox";
import { Systemd } from "../support/systemd";
import { BRIDGES } from "../support/vpc-host";

// The units of both agents, as the package has them, run by systemd on a host with OVN, Open vSwitch and FRR.
const BGP = "pulumi-ovn-agent.service";
const VPC = "pulumi-ovn-vpc-agent.service";
const BOTH = "pulumi-ovn-agents.service";
const ANNOUNCED = { node1: ["198.51.100.11/32"] };

let fabric: BgpFabric;
let targets: Connections;
let systemd: Systemd;
const WORKLOAD = { name: "p1", host: "node1", mac: "0a:00:00:00:05:11", addresses: ["198.51.100.11/24"], gateways: ["198.51.100.1"] };
afterAll(async () => {
  await systemd?.[Symbol.asyncDispose]();
  await targets?.close();
});
liveSandbox({ name: "agent-units", hosts: 1, fabric: true, workloads: [WORKLOAD] }, async (sandbox) => {
  fabric = new BgpFabric(sandbox);
  const { zones, hosts } = targetsOf(sandbox.targets, "the sandbox");
  targets = new Connections(zones, hosts);
  await fabric.run(
    "node1",
    `ovn-nbctl --wait=hv ls-add prov -- lsp-add prov ln -- lsp-set-type ln localnet -- lsp-set-options ln network_name=physnet -- lsp-set-addresses ln unknown \
     -- lsp-add prov p1 -- lsp-set-addresses p1 "${WORKLOAD.mac} 198.51.100.11"`,
  );
  const urn = (name: string) => `urn:pulumi:dev::units::x::${name}`;
  await new HeldResource("VpcBridges", urn("bridges"), targets).up({ ...BRIDGES, agent: true });
  await new HeldResource("BgpExposure", urn("exposure"), targets).up({
    zone: "node1",
    mode: "agent",
    name: "all",
    chassis: ["node1"],
    asNumber: 64513,
    providerPorts: true,
  });
  // Sixty seconds of the units' own would be waited for.
  const dropIn = "WatchdogSec=3\n";
  systemd = await Systemd.start(sandbox, "node1", [
    {
      name: BGP,
      dropIn: `${dropIn}ExecStart=\nExecStart=/opt/pulumi-ovn/node_modules/.bin/pulumi-ovn agent --southbound unix:/run/openvswitch/ovnsb_db.sock\n`,
    },
    { name: VPC, dropIn },
    {
      name: BOTH,
      dropIn: `${dropIn}ExecStart=\nExecStart=/opt/pulumi-ovn/agent/bin/pulumi-ovn-agent.js --bgp --vpc --southbound unix:/run/openvswitch/ovnsb_db.sock\n`,
    },
  ]);
});
/** The number of each unit's process, when both agents are healthy and have the host as it should be. */
async function running(units = [BGP, VPC]): Promise<string[]> {
  await fabric.announced("the workload", ANNOUNCED);
  for (const port of [9475, 9476]) {
    const script = `fetch("http://127.0.0.1:${port}/healthz").then(async (answer) => console.log(answer.status, answer.ok ? "" : await answer.text()), () => {})`;
    await becomes(`health at ${port}`, async () => (await fabric.sandbox.exec("node1", [process.execPath, "-e", script])).stdout.trim(), "200");
  }
  return Promise.all(units.map(async (unit) => (await systemd.show(unit, "MainPID")).MainPID));
}
/** Both units have been started again this often, by systemd, for this reason. */
const restarted = (times: string) =>
  Promise.all([BGP, VPC].map((unit) => becomes(`restart ${times} of ${unit}`, async () => (await systemd.show(unit, "NRestarts")).NRestarts, times)));
const results = () => Promise.all([BGP, VPC].map((unit) => systemd.show(unit, "ActiveState", "Result", "ExecMainStatus")));

test("both units announce and restore inside of their hardening, are restarted when they end or hang, and stop cleanly", async () => {
  expect(await systemd.run("systemctl", "start", BGP, VPC)).toMatchObject({ code: 0, stderr: "" });
  const first = await running();
  const held = await fabric.held("node1");
  const switched = async () =>
    (await fabric.run("node1", "ovs-vsctl list-ports br-t1001; ovs-ofctl -O OpenFlow14 --no-stats dump-flows br-t1001")).split("\n").sort();
  const bridge = await switched();
  // Rows by the database, flows by ovs-ofctl; a route by ip, and FRR's line by vtysh.
  await fabric.run(
    "node1",
    `ovs-vsctl del-br br-t1001; ip route flush table 1200; ${bySocket("configure terminal", "router bgp 64513", "address-family ipv4 unicast", "no redistribute table-direct 1200")}`,
  );
  await becomes("the bridge", () => switched().catch(() => []), bridge);
  await becomes("routes and FRR", () => fabric.held("node1"), held);

  await systemd.run("kill", "-KILL", ...(await running()));
  await restarted("1");
  const second = await running();
  // A stopped process sends no notification, like one whose event loop hangs.
  await systemd.run("kill", "-STOP", ...second);
  await restarted("2");
  const third = await running();
  expect(new Set([...first, ...second, ...third]).size).toBe(6);

  expect(await systemd.run("systemctl", "stop", BGP, VPC)).toMatchObject({ code: 0, stderr: "" });
  const clean = { ActiveState: "inactive", Result: "success", ExecMainStatus: "0" };
  expect(await results()).toEqual([clean, clean]);
  expect([await fabric.held("node1"), await switched()]).toEqual([held, bridge]);
});

test("one unit runs both agents in one process, which is restarted as a whole, and refuses to start next to another agent", async () => {
  expect(await systemd.run("systemctl", "start", BOTH)).toMatchObject({ code: 0, stderr: "" });
  const [first] = await running([BOTH]);
  const held = await fabric.held("node1");
  await fabric.run("node1", "ovs-vsctl del-br br-t1001; ip route flush table 1200");
  await becomes("routes", () => fabric.held("node1"), held);
  await becomes("the bridge", async () => (await fabric.run("node1", "ovs-vsctl br-exists br-t1001; echo $?")).trim(), "0");
  await systemd.run("kill", "-KILL", first!);
  expect(await running([BOTH])).not.toEqual([first]);
  // The lock of either agent is enough.
  const other = await systemd.run("/opt/pulumi-ovn/agent/bin/pulumi-ovn-vpc-agent.js");
  expect([other.code, other.stderr]).toEqual([1, expect.stringContaining("pulumi-ovn-vpc-agent: OVN_AGENT_RUNNING:")]);
  expect(await systemd.run("systemctl", "stop", BOTH)).toMatchObject({ code: 0, stderr: "" });
  expect(await systemd.show(BOTH, "ActiveState", "Result", "ExecMainStatus")).toEqual({ ActiveState: "inactive", Result: "success", ExecMainStatus: "0" });
});

test.each([BGP, VPC, BOTH])("systemd rates %s 3 or better", async (unit) => {
  const { stdout } = await systemd.run("systemd-analyze", "security", "--offline=true", `/opt/pulumi-ovn/agent/systemd/${unit}`);
  expect(Number(/Overall exposure level for .*: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(3);
});
