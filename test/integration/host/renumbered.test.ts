import { portNumbers } from "@pulumi-ovn/provider/testing";
import { failure } from "../../support/failure";
import { HeldResource } from "../../support/held-resource";
import { Switches } from "../../support/switches";
import { meetingPorts } from "../../unit/vpc/meeting-ports";

// Workloads that get port numbers which no flow of their bridge knows: an update that ends between its rows and its flows shows what
// is there then.
const switches = Switches.of({ name: "renumbered", hosts: 1, workloads: [] });
const [first, second] = meetingPorts();
const number = portNumbers([first]).get(first)!;

const own = (last: number) => ({ mac: `0a:00:00:00:00:0${last}`, addresses: [`10.1.1.${last}`] });
const BRIDGES = {
  host: "node1",
  vpc: "blue",
  tiers: { web: 1001 },
  tunnelAddress: "198.18.0.1",
  remotes: { node2: "198.18.0.2" },
  datapathType: "netdev",
  ports: { [second]: "web" },
  portSecurity: { [second]: own(2) },
};
const BOTH = { ...BRIDGES, ports: { [first]: "web", [second]: "web" }, portSecurity: { [first]: own(1), [second]: own(2) } };

const vsctl = (...args: string[]) => switches.on("node1", "ovs-vsctl", "--timeout=10", ...args);
const numberOf = async (port: string) => Number(await vsctl("get", "Interface", port, "ofport"));

/** Whether the switch lets a packet pass from an interface, with a MAC and an address. */
async function passes(port: string, { mac, addresses }: ReturnType<typeof own>, bridge = "br-t1001"): Promise<boolean> {
  const packet = `in_port=${port},ip,dl_src=${mac},dl_dst=0a:00:00:00:00:09,nw_src=${addresses[0]},nw_dst=10.1.1.9,nw_ttl=64`;
  return !/Datapath actions: drop/.test(await switches.on("node1", "ovs-appctl", "ofproto/trace", bridge, packet));
}
/** As itself, and as the other one. */
const both = (port: string) => Promise.all([passes(port, own(port === first ? 1 : 2)), passes(port, own(port === first ? 2 : 1)), passes(port, own(7))]);

const REFUSED = { ...BRIDGES.remotes, node3: "198.18.0.3" };
/** The switch refuses a second tunnel with the same ends and key: an update to `REFUSED` ends when its rows are written, and before its flows. */
const refuseTunnels = () =>
  vsctl(
    ...["add-br", "other", "--", "set", "Bridge", "other", "datapath_type=netdev", "--", "add-port", "other", "theirs", "--"],
    ...["set", "Interface", "theirs", "type=gre", "options:key=1001", "options:local_ip=198.18.0.1", "options:remote_ip=198.18.0.3"],
  );

test("a workload with another port number has its flows from the start, and the number's new port sends as no other workload until the end", async () => {
  for (const name of [first, second]) await switches.on("node1", "ip", "link", "add", name, "type", "veth", "peer", "name", `${name}-far`);
  const targets = switches.targets();
  const bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::bridges", targets);
  await bridges.up(BRIDGES);
  expect([await numberOf(second), await both(second)]).toEqual([number, [true, false, false]]);
  await refuseTunnels();
  expect(await failure(bridges.up({ ...BOTH, remotes: REFUSED }))).toMatchObject({ code: "OVN_INTERFACE" });
  expect([await numberOf(first), await numberOf(second)]).toEqual([number, number + 1]);
  // The new workload has the port number that the flows use for the other workload.
  expect([await both(second), await both(first)]).toEqual([
    [true, false, false],
    [false, true, false],
  ]);
  await vsctl("del-br", "other");
  await bridges.up(BOTH);
  expect([await both(second), await both(first), await bridges.refresh()]).toEqual([[true, false, false], [true, false, false], undefined]);
  // A bridge that was removed in between is created again, and any workload may get any port number.
  await bridges.up(BRIDGES);
  await vsctl("del-br", "br-t1001");
  await bridges.up(BOTH);
  expect([await both(second), await both(first)]).toEqual([
    [true, false, false],
    [true, false, false],
  ]);
  await bridges.destroy();
  await targets.close();
});

test("a new workload of a bridge, and one that moves to another tier, are checked from their first packet on", async () => {
  const [fresh, late] = ["fresh0", "late0"];
  for (const name of [fresh, late]) await switches.on("node1", "ip", "link", "add", name, "type", "veth", "peer", "name", `${name}-far`);
  const targets = switches.targets();
  const bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::tiers", targets);
  const tiers = { web: 1001, db: 1002 };
  await bridges.up({ ...BRIDGES, tiers });
  await refuseTunnels();
  // The tier that it moves to has had no port security.
  const moved = { ...BRIDGES, tiers, ports: { [fresh]: "web", [second]: "db" }, portSecurity: { [fresh]: own(1), [second]: own(2) } };
  expect(await failure(bridges.up({ ...moved, remotes: REFUSED }))).toMatchObject({ code: "OVN_INTERFACE" });
  const seen = (port: string, bridge: string) => Promise.all([1, 2, 7].map((last) => passes(port, own(last), bridge)));
  expect([await numberOf(fresh), await numberOf(second)]).toEqual([portNumbers([fresh]).get(fresh), number]);
  expect([await seen(fresh, "br-t1001"), await seen(second, "br-t1002")]).toEqual([
    [true, false, false],
    [false, true, false],
  ]);
  await vsctl("del-br", "other");
  await bridges.up(moved);
  expect([await seen(fresh, "br-t1001"), await seen(second, "br-t1002"), await bridges.refresh()]).toEqual([
    [true, false, false],
    [false, true, false],
    undefined,
  ]);
  // A bridge that was removed is created again, without flows. The flows of the other bridge are still written.
  await vsctl("del-br", "br-t1002");
  await refuseTunnels();
  const more = { ...moved, ports: { ...moved.ports, [first]: "db", [late]: "web" }, portSecurity: { ...moved.portSecurity, [first]: own(3), [late]: own(7) } };
  expect(await failure(bridges.up({ ...more, remotes: REFUSED }))).toMatchObject({ code: "OVN_INTERFACE" });
  expect([await seen(late, "br-t1001"), await seen(second, "br-t1002")]).toEqual([
    [false, false, true],
    [false, false, false],
  ]);
  await vsctl("del-br", "other");
  await bridges.up(more);
  expect([await seen(late, "br-t1001"), await seen(second, "br-t1002")]).toEqual([
    [false, false, true],
    [false, true, false],
  ]);
  await bridges.destroy();
  await targets.close();
});

test("a workload that receives a removed one's port number never sends as that one", async () => {
  const targets = switches.targets();
  const bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::taken", targets);
  await bridges.up(BRIDGES);
  await refuseTunnels();
  const taken = { ...BRIDGES, remotes: REFUSED, ports: { [first]: "web" }, portSecurity: { [first]: own(1) } };
  expect(await failure(bridges.up(taken))).toMatchObject({ code: "OVN_INTERFACE" });
  expect([await numberOf(first), await both(first)]).toEqual([number, [true, false, false]]);
  await vsctl("del-br", "other");
  await bridges.destroy();
  await targets.close();
});

test("a bridge that does not answer is repaired before an interface is added, and none is added if it can't be repaired", async () => {
  const name = "later0";
  await switches.on("node1", "ip", "link", "add", name, "type", "veth", "peer", "name", `${name}-far`);
  const targets = switches.targets();
  const bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::silent", targets);
  const one = { ...BRIDGES, ports: {}, portSecurity: {} };
  const more = { ...one, ports: { [name]: "web" }, portSecurity: { [name]: own(1) } };
  await bridges.up(one);
  await bridges.up({ ...one, ports: { [second]: "web" }, portSecurity: { [second]: own(2) } });
  await vsctl("set", "Bridge", "br-t1001", "protocols=OpenFlow10");
  await bridges.up({ ...more, ports: { ...more.ports, [second]: "web" }, portSecurity: { ...more.portSecurity, [second]: own(2) } });
  expect(await Promise.all([passes(name, own(1)), passes(name, own(2)), passes(second, own(2)), passes(second, own(1))])).toEqual([true, false, true, false]);
  expect(await bridges.refresh()).toBeUndefined();
  await bridges.up(one);
  await refuseTunnels();
  expect(await failure(bridges.up({ ...more, remotes: REFUSED }))).toMatchObject({ code: "OVN_INTERFACE" });
  await vsctl("del-br", "other");
  await switches.on("node1", "sh", "-c", 'rm "$OVS_RUNDIR/br-t1001.mgmt"');
  const newer = { ...more, ports: { ...more.ports, [second]: "web" }, portSecurity: { ...more.portSecurity, [second]: own(2) } };
  expect(await failure(bridges.up(newer))).toMatchObject({ code: "OVN_BRIDGE_UNREACHABLE" });
  // Nothing new is attached, and nothing taken away that the failed update has attached.
  const ports = (await vsctl("list-ports", "br-t1001")).split("\n");
  expect([ports.includes(name), ports.includes(second)]).toEqual([true, false]);
  await vsctl("del-br", "br-t1001");
  await bridges.destroy();
  await targets.close();
});
