import { resourcesAround, type StackResource } from "@pulumi-ovn/cli/upgrade";
import { everyNode, inState, networkOf, resourcesOf } from "../../../support/upgrade-stack";

const args = inState({ upgrade: undefined, nodes: everyNode("gateway") });
const network = networkOf(args);
const own = resourcesOf(args).map((resource) =>
  resource.urn.endsWith("blue-Layer2Switch-node1") ? { ...resource, outputs: { uuid: "11111111-1111-5111-8111-111111111111" } } : resource,
);
const RED = "urn:pulumi:dev::net::ovn:network:Layer2Network::red";
/** Resources of a network with the same nodes, zones, chassis and workload names. */
const red = resourcesOf({ ...args, name: "red" }).map((resource) => ({
  ...resource,
  urn: resource.urn.replaceAll("blue", "red"),
  parent: resource.parent && RED,
}));

let count = 0;
const over = (kind: string, inputs: StackResource["inputs"], outputs?: StackResource["inputs"]): StackResource => {
  const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
  return { urn: `urn:pulumi:dev::net::${type}::${kind}-${++count}`, type, parent: "", inputs: { zone: "node1", ...inputs }, ...(outputs && { outputs }) };
};
const around = (more: readonly StackResource[]) => resourcesAround(network, [...more, ...own, ...red]).filter(({ urn }) => more.some((one) => one.urn === urn));

it("has the network's own resources, and none of another network in the same zones", () => {
  expect(resourcesAround(network, [...own, ...red])).toEqual(own.filter(({ parent }) => parent === network.urn));
});

it("has resources that refer to the network, by name or by UUID, and those that refer to these", () => {
  const address = over("EgressAddress", { gatewayRouter: "GR_blue_node1", address: "172.18.0.202" });
  const reroute = over("EgressReroute", { switch: "blue_ovn_layer2_switch", router: "blue_transit_router" });
  const outside = over("NorthboundRows", { entries: { acl: { table: "ACL", parent: { table: "Logical_Switch", row: "ext_blue_node2", column: "acls" } } } });
  const acl = over(
    "NorthboundRows",
    { entries: { acl: { table: "ACL", parent: { table: "Logical_Switch", row: "11111111-1111-5111-8111-111111111111", column: "acls" } } } },
    { uuids: { acl: "22222222-2222-5222-8222-222222222222" } },
  );
  const meter = over("NorthboundRows", { entries: { other: { table: "Sample", references: { of: ["22222222-2222-5222-8222-222222222222"] } } } });
  const all = [meter, address, reroute, outside, acl];
  expect(around(all)).toEqual(all);
});

it("omits resources of other networks, of none, and of other providers", () => {
  const reds = over("EgressAddress", { gatewayRouter: "GR_red_node1", address: "172.18.0.203" });
  const alone = over("NorthboundRows", { entries: { set: { table: "Address_Set", columns: { name: "all" } } } });
  const bucket = { ...over("x", { name: "blue_transit_router" }), type: "aws:s3/bucket:Bucket" };
  expect(around([reds, alone, bucket])).toEqual([]);
});
