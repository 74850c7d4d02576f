import { driftedResources, nameOf, type StackResource } from "@pulumi-ovn/cli/upgrade";
import { egressNetworkOf, expandEgressIPPolicy, expandLayer2Network, type Layer2NetworkArgs, type UpgradeStage } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Properties } from "@pulumi-ovn/provider/tools";
import { Handled } from "../../../support/handled";
import { difference, NO_DIFFERENCE } from "../../../support/dump";
import { TestZones } from "../../../support/zones";
import { dual } from "../../../unit/topology/networks";

/** node2 has an egress address and no workload of the policy: there it has rows on the transit router only. */
const POLICY = { name: "web", workloads: ["vm1"], addresses: { "172.18.0.202": "node2", "172.18.0.203": "node1" } };
const TR = "blue_transit_router";
const NOTHING: Properties = {};

type Resources = ReadonlyMap<string, StackResource>;

let zones: TestZones;
let connections: Connections;
let old: Resources;
let before: Map<string, StackResource>;
let dump: Awaited<ReturnType<TestZones["northbound"]>>;
beforeAll(async () => {
  zones = await TestZones.start(["node1", "node2"], { northd: false });
  connections = new Connections(zones.config);
  old = await resourcesAt();
  await apply(new Map(), old, () => true);
  dump = await zones.northbound();
});
afterAll(async () => {
  await connections?.close();
  await zones?.stop();
});
beforeEach(async () => {
  const move = await resourcesAt("move");
  await apply(old, move, () => true);
  before = new Map([...move].map(([urn, resource]) => [urn, { ...resource, outputs: resource.inputs }]));
});

/** The resources of both nodes and of the policy, every node on the gateway topology, as the engine has them after their check. */
async function resourcesAt(upgrade?: UpgradeStage): Promise<Resources> {
  const node = (name: string) => ({ ...dual.nodes[name]!, topology: "gateway" as const });
  const args: Layer2NetworkArgs = { ...dual, nodes: { node1: node("node1"), node2: node("node2") }, ...(upgrade && { upgrade }) };
  const network = expandLayer2Network(args);
  const policy = expandEgressIPPolicy({ ...POLICY, network: egressNetworkOf(network) });
  const planned: [kind: string, name: string, args: object][] = Object.entries(network.zones).flatMap(([zone, plan]): [string, string, object][] => [
    ["Layer2Switch", `blue-${zone}`, plan.switch],
    ["GatewayRouter", `blue-${zone}`, plan.gatewayRouter],
    ["Layer2Gateway", `blue-topology-${zone}`, plan.gateway],
  ]);
  planned.push(...policy.addresses.map(({ node: on, args: address }): [string, string, object] => ["EgressAddress", `web-${address.address}-${on}`, address]));
  planned.push(...Object.entries(policy.reroutes).map(([zone, reroute]): [string, string, object] => ["EgressReroute", `web-reroute-${zone}`, reroute]));
  const resources = planned.map(async ([kind, name, given]): Promise<[string, StackResource]> => {
    const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
    const urn = `urn:pulumi:dev::net::${type}::${name}`;
    const { inputs, failures } = await new Handled(kind).check(NOTHING, { ...given, owner: urn }, connections);
    expect(failures).toEqual([]);
    return [urn, { urn, type, parent: "", inputs }];
  });
  return new Map(await Promise.all(resources));
}

/** Does what an update does, in its order, as far as it came. */
async function apply(from: Resources, to: Resources, reached: (urn: string) => boolean): Promise<void> {
  const handlerOf = ({ type }: StackResource) => new Handled(type.slice(type.lastIndexOf(":") + 1));
  for (const resource of [...to.values()].filter(({ urn }) => reached(urn))) {
    const previous = from.get(resource.urn);
    await (previous ? handlerOf(resource).update(previous.inputs, resource.inputs, connections) : handlerOf(resource).create(resource.inputs, connections));
  }
  for (const resource of [...from.values()].filter(({ urn }) => !to.has(urn) && reached(urn))) await handlerOf(resource).delete(resource.inputs, connections);
}

const drifted = async (after: Resources) => (await driftedResources(connections, [...before.values()], [...after.values()])).map(nameOf).sort();

test("an interrupted update of the last stage back can be resumed at any point: rows deleted with the transit router are not drift", async () => {
  expect([
    before.has("urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:EgressReroute::web-reroute-node2"),
    [...old.keys()].some((urn) => urn.endsWith("reroute-node2")),
  ]).toEqual([true, false]);
  // The network is written in both zones. The policy is not written yet: it waits until the zones have followed.
  await apply(before, old, (urn) => urn.includes("Layer2Gateway"));
  expect(await zones.nbctl("node1", "--bare", "--columns=name", "find", "Logical_Router", `name=${TR}`)).toBe("");
  expect(await drifted(old)).toEqual([]);
  await apply(before, old, (urn) => urn.includes("EgressReroute"));
  expect(await drifted(old)).toEqual([]);
  expect(difference(dump, await zones.northbound())).toEqual(NO_DIFFERENCE);
});

test("deleted rows that are still desired are drift, and so is any other change of another writer", async () => {
  const move = await resourcesAt("move");
  expect(await drifted(move)).toEqual([]);
  await zones.nbctl("node1", "lr-policy-del", TR);
  expect(await drifted(move)).toEqual(["web-reroute-node1"]);
  expect(await drifted(old)).toEqual([]);
  await apply(before, old, (urn) => urn.includes("Layer2Gateway"));
  // Those on the gateway router are wanted in either state.
  await zones.nbctl("node1", "lr-policy-del", "GR_blue_node1");
  expect(await drifted(old)).toContain("web-reroute-node1");
});
