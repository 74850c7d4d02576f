import { layer2Switch } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered, rowsOf } from "./helpers";

const base = { zone: "node1", name: "blue_ovn_layer2_switch", subnets: ["203.203.0.0/16", "2010:100:200::/60"], tunnelKey: 16_715_779 };

describe("the layer-2 switch", () => {
  test("has its rows", () => {
    expect(rowsOf(layer2Switch, base)).toEqual({
      "Logical_Switch switch": {
        name: "blue_ovn_layer2_switch",
        other_config: {
          subnet: "203.203.0.0/16",
          ipv6_prefix: "2010:100:200::",
          mcast_snoop: "true",
          mcast_querier: "false",
          mcast_flood_unregistered: "true",
          "interconn-ts": "blue_ovn_layer2_switch",
          "requested-tnl-key": "16715779",
        },
        claims: [
          "Logical_Switch name=blue_ovn_layer2_switch",
          "Logical_Switch other_config:requested-tnl-key=16715779",
          "Logical_Router options:requested-tnl-key=16715779",
        ],
      },
    });
  });

  test("may have one family, one zone, and no multicast", () => {
    const args = { zone: "z", name: "l2", subnets: ["fd20:0::/64"], multicast: { snoop: false, floodUnregistered: false } };
    expect(rowsOf(layer2Switch, args)).toEqual({
      "Logical_Switch switch": {
        name: "l2",
        other_config: { ipv6_prefix: "fd20::", mcast_snoop: "false", mcast_querier: "false", mcast_flood_unregistered: "false" },
        claims: ["Logical_Switch name=l2"],
      },
    });
  });

  test("has a management port, with an ACL for its packets", () => {
    const managementPort = { name: "k8s-blue_node1", addresses: ["2010:100:200::2", "203.203.0.2"], tunnelKey: 2 };
    const rows = rowsOf(layer2Switch, { ...base, managementPort });
    expect(Object.keys(rows)).toEqual([
      "Logical_Switch switch",
      "Logical_Switch_Port k8s-blue_node1",
      "ACL blue_ovn_layer2_switch from-management ip4",
      "ACL blue_ovn_layer2_switch from-management ip6",
    ]);
    expect(rows["Logical_Switch_Port k8s-blue_node1"]).toEqual({
      name: "k8s-blue_node1",
      type: "",
      addresses: ["0a:58:cb:cb:00:02 203.203.0.2 2010:100:200::2"],
      options: { "requested-tnl-key": "2" },
      in: "Logical_Switch <switch> ports",
    });
    expect(rows["ACL blue_ovn_layer2_switch from-management ip4"]).toEqual({
      direction: "to-lport",
      priority: 1001,
      tier: 2,
      action: "allow-related",
      match: "ip4.src==203.203.0.2",
      in: "Logical_Switch <switch> acls",
    });
    expect(rows["ACL blue_ovn_layer2_switch from-management ip6"]).toMatchObject({ match: "ip6.src==2010:100:200::2" });
    expect(Object.keys(rowsOf(layer2Switch, { ...base, managementPort, aclFromManagement: false }))).toEqual([
      "Logical_Switch switch",
      "Logical_Switch_Port k8s-blue_node1",
    ]);
  });

  test("may have a given MAC, and no key", () => {
    const managementPort = { name: "mp", addresses: ["203.203.0.2"], mac: "0A:58:00:00:00:01" };
    expect(rowsOf(layer2Switch, { ...base, managementPort })["Logical_Switch_Port mp"]).toMatchObject({
      addresses: ["0a:58:00:00:00:01 203.203.0.2"],
      options: {},
    });
  });

  test("keeps its row if it is renamed, because the row's key is its role", () => {
    expect(rendered(layer2Switch, { ...base, name: "red" }).primary).toEqual({ table: "Logical_Switch", key: "switch" });
  });

  test("has external_ids on every row", () => {
    const args = { ...base, externalIds: { "k8s.ovn.org/network": "blue" }, managementPort: { name: "mp", addresses: ["203.203.0.2"] } };
    for (const row of Object.values(rowsOf(layer2Switch, args))) expect(row).toHaveProperty("external_ids", { "k8s.ovn.org/network": "blue" });
  });

  test.each([
    [{ subnets: ["203.203.0.1/16"] }, 'subnets[0]: "203.203.0.1/16" has host bits set: the subnet is 203.203.0.0/16'],
    [{ subnets: ["203.203.0.0/16", "10.0.0.0/8"] }, "subnets[1]: 203.203.0.0/16 and 10.0.0.0/8: only one IPv4 entry is possible here"],
    [{ subnets: ["203.203.0.0/16", "203.203.0.0/16"] }, "subnets[1]: 203.203.0.0/16 is listed twice"],
    [{ subnets: [] }, "subnets: needs at least one, of IPv4 or IPv6"],
    [{ name: 'l2"' }, `name: name "l2\\"" can't have quotes: names become part of OVN match expressions`],
    [{ name: undefined }, "name: is required"],
    [{ tunnelKey: 0 }, "tunnelKey: tunnel key 0 is out of range: 1 to 16777215"],
    [{ tunnelKey: 16_777_216 }, "tunnelKey: tunnel key 16777216 is out of range: 1 to 16777215"],
    [{ tunnelKey: undefined, interconnect: true }, "tunnelKey: is required when the switch spans zones: they must agree on it"],
    [{ tunelKey: 5 }, 'tunelKey: there is no argument "tunelKey"; did you mean "tunnelKey"?'],
    [{ managementPort: { name: "mp", addresses: ["10.0.0.2"] } }, "managementPort.addresses[0]: 10.0.0.2 is outside of 203.203.0.0/16 and 2010:100:200::/60"],
    [
      { managementPort: { name: "mp", addresses: ["203.203.255.255"] } },
      "managementPort.addresses[0]: 203.203.255.255 is the broadcast address of 203.203.0.0/16, which no host can have",
    ],
    [
      { managementPort: { name: "mp", addresses: ["2010:100:200::"] } },
      "managementPort.addresses[0]: 2010:100:200:: is the first address of 2010:100:200::/60, which no host can have",
    ],
    [{ managementPort: { name: "mp", addresses: ["203.203.0.2"], tunnelKey: 32_768 } }, "managementPort.tunnelKey: port key 32768 is out of range: 1 to 32767"],
  ])("%j is refused", (change, complaint) => {
    expect(complaints(() => rendered(layer2Switch, { ...base, ...change }))).toEqual([complaint]);
  });
});
