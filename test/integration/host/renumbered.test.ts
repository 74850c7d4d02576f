import { portNumbers } from "../../../provider/vpc/names";
import { failure } from "../../support/failure";
import { HeldResource } from "../../support/held-resource";
import { Switches } from "../../support/switches";
import { meetingPorts } from "../../unit/vpc/meeting-ports";

// A workload whose port number a new one takes over: an update that ends between its rows and its flows shows what is there then.
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
async function passes(port: string, { mac, addresses }: ReturnType<typeof own>): Promise<boolean> {
  const packet = `in_port=${port},ip,dl_src=${mac},dl_dst=0a:00:00:00:00:09,nw_src=${addresses[0]},nw_dst=10.1.1.9,nw_ttl=64`;
  return !/Datapath actions: drop/.test(await switches.on("node1", "ovs-appctl", "ofproto/trace", "br-t1001", packet));
}
/** As itself, and as the other one. */
const both = (port: string) => Promise.all([passes(port, own(port === first ? 1 : 2)), passes(port, own(port === first ? 2 : 1)), passes(port, own(7))]);

test("a workload that gets another port number meets its flows there at once, and the new one sends as nobody until the end", async () => {
  for (const name of [first, second]) await switches.on("node1", "ip", "link", "add", name, "type", "veth", "peer", "name", `${name}-far`);
  const targets = switches.targets();
  const bridges = new HeldResource("VpcBridges", "urn:pulumi:dev::vpc::x::bridges", targets);
  await bridges.up(BRIDGES);
  expect([await numberOf(second), await both(second)]).toEqual([number, [true, false, false]]);
  // The switch refuses a second tunnel with the same ends and key: the update ends when its rows are written, and before its flows.
  await vsctl(
    ...["add-br", "other", "--", "set", "Bridge", "other", "datapath_type=netdev", "--", "add-port", "other", "theirs", "--"],
    ...["set", "Interface", "theirs", "type=gre", "options:key=1001", "options:local_ip=198.18.0.1", "options:remote_ip=198.18.0.3"],
  );
  expect(await failure(bridges.up({ ...BOTH, remotes: { ...BRIDGES.remotes, node3: "198.18.0.3" } }))).toMatchObject({ code: "OVN_INTERFACE" });
  expect([await numberOf(first), await numberOf(second)]).toEqual([number, number + 1]);
  // The new one has the number that the flows know the other one by.
  expect([await both(second), await both(first)]).toEqual([
    [true, false, false],
    [false, true, false],
  ]);
  await vsctl("del-br", "other");
  await bridges.up(BOTH);
  expect([await both(second), await both(first), await bridges.refresh()]).toEqual([[true, false, false], [true, false, false], undefined]);
  // A bridge that somebody has removed in between is made again, whoever gets which number.
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
