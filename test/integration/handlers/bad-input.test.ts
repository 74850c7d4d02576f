import { failuresOf } from "../../support/provider";
import { refusalsOf } from "../../support/refusals";
import { blue, GATEWAY_PEER, TRANSIT_ROUTER, zonePlan } from "../../support/network";
import { expandLayer2Network, type Layer2NetworkArgs } from "@pulumi-ovn/provider";

const plan = zonePlan("node1");
const zones = { node1: { northbound: "unix:/nowhere" }, node2: { northbound: "unix:/nowhere2" } };

/** Nothing is listening anywhere: what is refused here is refused without a database. */
describe("check of a resource", () => {
  const cases: readonly [what: string, kind: string, args: object, failures: string[]][] = [
    [
      "an unknown zone",
      "TransitRouter",
      { ...TRANSIT_ROUTER, zone: "node9" },
      ['zone: zone "node9" is not configured; the targets have node1, node2; did you mean "node1"? [zone]'],
    ],
    [
      "a zone without the database that the rows go to",
      "RemoteChassis",
      plan.remoteChassis!,
      ['zone: zone "node1" has no southbound endpoint, which OVN_Southbound rows need; set zones.node1.southbound in the file of targets [zone]'],
    ],
    [
      "quotes in a name",
      "TransitRouter",
      { ...TRANSIT_ROUTER, name: 'a"b' },
      [`name: name "a\\"b" can't have quotes: names become part of OVN match expressions [name]`],
    ],
    [
      "braces in a name",
      "TransitRouter",
      { ...TRANSIT_ROUTER, name: "a{b" },
      [`name: name "a{b" can't have braces: names become part of OVN match expressions [name]`],
    ],
    [
      "a newline in a name",
      "TransitRouter",
      { ...TRANSIT_ROUTER, name: "a\nb" },
      [`name: name "a\\nb" can't have white space: names become part of OVN match expressions [name]`],
    ],
    [
      "a key of a map that is not a name",
      "WorkloadPorts",
      { ...plan.workloads, ports: { 'c"': { addresses: ["203.203.0.10"], tunnelKey: 11 } } },
      [`ports["c\\""]: name "c\\"" can't have quotes: names become part of OVN match expressions [name]`],
    ],
    [
      "leading zeros",
      "TransitRouter",
      { ...TRANSIT_ROUTER, gateway: { addresses: ["010.0.0.1/8"] } },
      ['gateway.addresses[0]: "010.0.0.1" is not an IP address: leading zeros mean octal numbers to some programs [address]'],
    ],
    [
      "host bits",
      "Layer2Switch",
      { ...plan.switch, subnets: ["203.203.0.1/16"] },
      ['subnets[0]: "203.203.0.1/16" has host bits set: the subnet is 203.203.0.0/16 [host-bits]'],
    ],
    [
      "a tunnel key out of range",
      "Layer2Switch",
      { ...plan.switch, tunnelKey: 16777216 },
      ["tunnelKey: tunnel key 16777216 is out of range: 1 to 16777215 [out-of-range]"],
    ],
    [
      "no tunnel key where zones must agree on one",
      "Layer2Switch",
      { ...plan.switch, tunnelKey: undefined },
      ["tunnelKey: is required when the switch spans zones: they must agree on it [required]"],
    ],
    [
      "a node id out of range",
      "GatewayPeer",
      { ...GATEWAY_PEER, nodes: { ...GATEWAY_PEER.nodes, node3: { id: 40000 } } },
      ["nodes.node3.id: node id 40000 is out of range: 1 to 32757 [out-of-range]"],
    ],
    [
      "node ids that are the same",
      "GatewayPeer",
      { ...GATEWAY_PEER, nodes: { ...GATEWAY_PEER.nodes, node3: { id: 3 } } },
      ["nodes.node3.id: node id 3 is already used by node2 [duplicate]"],
    ],
    [
      "a gateway outside of its family",
      "TransitRouter",
      { ...TRANSIT_ROUTER, gateway: { addresses: ["203.203.0.1/16"] }, routerAdvertisements: { enabled: true } },
      ["routerAdvertisements: need an IPv6 gateway address [family]"],
    ],
    [
      "a port key that is used twice",
      "WorkloadPorts",
      { ...plan.workloads, ports: { a: { addresses: ["203.203.0.9"], tunnelKey: 10 }, b: { addresses: ["203.203.0.10"], tunnelKey: 10 } } },
      ["ports.b.tunnelKey: port key 10 is already used by a [duplicate]"],
    ],
    [
      "typos at any depth",
      "TransitRouter",
      { ...TRANSIT_ROUTER, tunelKey: 5, gateway: { addreses: ["10.0.0.1/8"] } },
      [
        "gateway.addresses: is required [required]",
        'gateway.addreses: there is no argument "addreses"; did you mean "addresses"? [unknown-argument]',
        'tunelKey: there is no argument "tunelKey"; did you mean "tunnelKey"? [unknown-argument]',
      ],
    ],
    ["what is like nothing", "Layer2Switch", { ...plan.switch, colour: "blue" }, ['colour: there is no argument "colour" [unknown-argument]']],
    ["nothing at all", "Layer2Switch", { zone: "node1" }, ["name: is required [required]", "subnets: is required [required]"]],
  ];

  it.each(cases)("refuses %s", async (_what, kind, args, failures) => {
    expect(await failuresOf(kind, args, zones)).toEqual(failures);
  });

  it("accepts the valid resources that the cases derive from", async () => {
    const config = { node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere" } };
    const kinds = {
      Layer2Switch: plan.switch,
      TransitRouter: TRANSIT_ROUTER,
      GatewayRouter: plan.gatewayRouter,
      GatewayPeer: GATEWAY_PEER,
      WorkloadPorts: plan.workloads!,
      RemoteChassis: plan.remoteChassis!,
    };
    for (const [kind, args] of Object.entries(kinds)) expect(await failuresOf(kind, args, config)).toEqual([]);
  });

  it("refuses an invalid configuration of zones, and names the path", async () => {
    expect(await failuresOf("Layer2Switch", plan.switch, { node1: { northbound: "127.0.0.1:6641" } })).toEqual([
      expect.stringMatching(/^zone: .*: zones\.node1\.northbound: endpoint "127\.0\.0\.1:\.\.\.": it must start with unix:, tcp:, ssl: or exec:$/),
    ]);
    expect(await failuresOf("Layer2Switch", plan.switch, {})).toEqual([
      'zone: zone "node1" is not configured: there are no targets; write a file with "zones: { node1: unix:/run/ovn/ovnnb_db.sock }" and name it: pulumi config set ovn:targets FILE [zone]',
    ]);
  });

  it("hides secrets in refusals", async () => {
    const args = { ...TRANSIT_ROUTER, gateway: { addresses: ["203.203.0.0/16"], mac: "0A:58:5e:c4:e7:zz" }, redact: ["gateway"] };
    expect(await failuresOf("TransitRouter", args, zones)).toEqual([
      "gateway.addresses[0]: [secret] is the first address of [secret], which no host can have [reserved]",
      'gateway.mac: "[secret]" is not a MAC address: expected six pairs such as 0a:58:cb:cb:00:01 [mac]',
    ]);
  });
});

describe("a network over all zones", () => {
  const { nodes } = blue();
  const external = nodes.node2!.external;
  const workload = (address: string, more: object = {}) => ({ node: "node1", addresses: [address], ...more });
  const cases: readonly [what: string, change: object, failures: string[]][] = [
    [
      "a subnet that is too small",
      { subnets: ["203.203.0.0/31"], workloads: {} },
      ["subnets[0]: subnet 203.203.0.0/31 is too small: it has no room for a gateway and a workload [too-small]"],
    ],
    [
      "a transit subnet that is too small for an id",
      { transitSubnets: ["100.88.0.0/29"] },
      ["nodes.node3.id: node id 4 does not fit transit subnet 100.88.0.0/29: ids from 1 to 3 do [out-of-range]"],
    ],
    [
      "an IPv6 gateway on a network of IPv4",
      { subnets: ["203.203.0.0/16"], gatewayAddresses: ["2010::1"], workloads: {} },
      ["gatewayAddresses[0]: gateway 2010::1 is IPv6, and the network has IPv4 subnets only [family]"],
    ],
    ["subnet and join subnet", { joinSubnets: ["203.203.5.0/24"] }, ["joinSubnets[0]: subnet 203.203.0.0/16 overlaps join subnet 203.203.5.0/24 [overlap]"]],
    [
      "subnet and transit subnet",
      { transitSubnets: ["203.203.5.0/24"] },
      ["transitSubnets[0]: subnet 203.203.0.0/16 overlaps transit subnet 203.203.5.0/24 [overlap]"],
    ],
    [
      "join and transit subnet",
      { joinSubnets: ["100.66.0.0/16"], transitSubnets: ["100.66.4.0/24"] },
      ["transitSubnets[0]: join subnet 100.66.0.0/16 overlaps transit subnet 100.66.4.0/24 [overlap]"],
    ],
    [
      "join and masquerade subnet",
      { masquerade: { hostFlows: true }, networkId: 5, joinSubnets: ["169.254.0.0/17"] },
      ["masquerade.subnets: join subnet 169.254.0.0/17 overlaps masquerade subnet 169.254.0.0/17 [overlap]"],
    ],
    [
      "subnet and external network",
      { nodes: { ...nodes, node2: { ...nodes.node2, external: { addresses: ["203.203.9.1/24"] } } } },
      ["nodes.node2.external.addresses[0]: subnet 203.203.0.0/16 overlaps external network of node2 203.203.9.0/24 [overlap]"],
    ],
    ["keys that are the same", { tunnelKeys: { switch: 7, router: 7 } }, ["tunnelKeys.router: tunnel key 7 is already used by the switch [duplicate]"]],
    [
      "port keys that are the same",
      { workloads: { a: workload("203.203.0.17", { tunnelKey: 20 }), b: workload("203.203.0.18", { tunnelKey: 20 }) } },
      ["workloads.b.tunnelKey: port key 20 is already used by a [duplicate]"],
    ],
    [
      "node ids that are the same",
      { nodes: { ...nodes, node2: { ...nodes.node2, id: 2 } } },
      ["nodes.node2.id: node id 2 is already used by node1 [duplicate]"],
    ],
    [
      "a bridge with a name of more than 15 characters",
      { nodes: { ...nodes, node2: { ...nodes.node2, external: { ...external, bridge: "br-external-phys" } } } },
      ['nodes.node2.external.bridge: name "br-external-phys" has 16 characters: interfaces and bridges have at most 15 [name]'],
    ],
    [
      "a typo deep inside",
      { nodes: { ...nodes, node2: { ...nodes.node2, external: { ...external, adresses: [] } } } },
      ['nodes.node2.external.adresses: there is no argument "adresses"; did you mean "addresses"? [unknown-argument]'],
    ],
  ];

  it.each(cases)("refuses %s", (_what, change, failures) => {
    const expand = () => expandLayer2Network(blue(undefined, change as Partial<Layer2NetworkArgs>));
    expect(refusalsOf(expand)).toEqual(failures);
  });
});
