import fc from "fast-check";
import { egressAddress, type EgressIPPolicyArgs, egressNetworkOf, egressReroute, expandEgressIPPolicy, expandLayer2Network } from "@pulumi-ovn/provider";
import { complaints } from "../../support/refusals";
import { rendered } from "./helpers";

const external = (host: number) => ({
  addresses: [`172.18.0.${host}/24`, `fc00:f853:ccd:e793::${host.toString(16)}/64`],
  nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
});
const layer2 = {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: { switch: 16_715_779, router: 16_715_780 },
  nodes: { node1: { id: 2, external: external(11) }, node2: { id: 3, external: external(12) }, node3: { id: 4, zone: "z3", external: external(13) } },
  workloads: {
    vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
    vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
    vm4: { node: "node1", addresses: ["203.203.0.20"] },
  },
};
const network = egressNetworkOf(expandLayer2Network(layer2));
const base: EgressIPPolicyArgs = {
  name: "web",
  network,
  workloads: ["vm1", "vm2"],
  addresses: { "172.18.0.202": "node2", "172.18.0.203": "node3", "fc00:f853:ccd:e793::ca": "node2" },
};
const KEEP = [
  ...["203.203.0.0/16", "2010:100:200::/60", "100.65.0.0/16", "fd99::/64", "100.88.0.0/16", "fd97::/64"],
  ...["172.18.0.11", "fc00:f853:ccd:e793::b", "172.18.0.12", "fc00:f853:ccd:e793::c", "172.18.0.13", "fc00:f853:ccd:e793::d"],
];

describe("an egress policy", () => {
  test("describes a network of the stack by its own plan", () => {
    expect(network).toMatchObject({
      name: "blue",
      routerName: "blue_transit_router",
      switchName: "blue_ovn_layer2_switch",
      joinSubnets: ["100.65.0.0/16", "fd99::/64"],
    });
    expect(network.nodes["node3"]).toEqual({
      id: 4,
      zone: "z3",
      externalAddresses: ["172.18.0.13/24", "fc00:f853:ccd:e793::d/64"],
      nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"],
      hostAddresses: [],
      gatewayRouterName: "GR_blue_node3",
      externalSwitchName: "ext_blue_node3",
      networkName: "physnet",
      topology: "transit",
    });
    expect(network.workloads["vm2"]).toEqual({ node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] });
  });

  test("assigns each address to its node, with the workloads of its family", () => {
    const on = (node: string) => ({
      gatewayRouter: `GR_blue_${node}`,
      gatewayRouterName: `GR_blue_${node}`,
      networkName: "physnet",
      externalSwitch: `ext_blue_${node}`,
      announce: true,
    });
    expect(expandEgressIPPolicy(base).addresses).toEqual([
      { node: "node2", args: { zone: "node2", ...on("node2"), address: "172.18.0.202", workloads: ["203.203.0.17", "203.203.0.18"] } },
      { node: "node3", args: { zone: "z3", ...on("node3"), address: "172.18.0.203", workloads: ["203.203.0.17", "203.203.0.18"] } },
      { node: "node2", args: { zone: "node2", ...on("node2"), address: "fc00:f853:ccd:e793::ca", workloads: ["2010:100:200::11", "2010:100:200::12"] } },
    ]);
  });

  test("gives a zone's own workloads all next hops, others only their own node's, if it has an egress address", () => {
    const { reroutes } = expandEgressIPPolicy(base);
    const common = { policy: "web", router: "blue_transit_router", switch: "blue_ovn_layer2_switch", keep: KEEP, replies: true };
    const nextHops = { node2: ["100.88.0.7", "fd97::7"], node3: ["100.88.0.9"] };
    const [vm1, vm2] = [
      ["203.203.0.17", "2010:100:200::11"],
      ["203.203.0.18", "2010:100:200::12"],
    ];
    expect(reroutes).toEqual({
      node1: { zone: "node1", ...common, nextHops, workloads: { vm1: { addresses: vm1 } } },
      node2: { zone: "node2", ...common, nextHops, workloads: { vm1: { addresses: vm1, through: ["node2"] }, vm2: { addresses: vm2 } } },
      z3: {
        zone: "z3",
        ...common,
        nextHops: { node3: ["100.88.0.9"] },
        workloads: { vm1: { addresses: ["203.203.0.17"], through: ["node3"] }, vm2: { addresses: ["203.203.0.18"], through: ["node3"] } },
      },
    });
  });

  test("uses the join address of a node on the old topology as next hop, and puts the node's own policies on its gateway router", () => {
    const old = { ...network, nodes: { ...network.nodes, node2: { ...network.nodes["node2"]!, topology: "gateway" as const } } };
    const { reroutes } = expandEgressIPPolicy({ ...base, network: old });
    expect(reroutes["node1"]).toMatchObject({ router: "blue_transit_router", nextHops: { node2: ["100.65.0.3", "fd99::3"], node3: ["100.88.0.9"] } });
    expect(reroutes["node2"]).toMatchObject({
      gateway: { router: "GR_blue_node2", nextHops: { node2: ["172.18.0.1", "fc00:f853:ccd:e793::1"], node3: ["100.65.0.4"] } },
    });
    for (const property of ["router", "nextHops"]) expect(reroutes["node2"]).not.toHaveProperty(property);
    expect(reroutes["node2"]!.workloads).toEqual({ vm2: { addresses: ["203.203.0.18", "2010:100:200::12"] } });
    // Without an external gateway, no next hop can mean "out here". IPv6 then leaves by the address itself.
    const alone = { ...old, nodes: { ...old.nodes, node2: { ...old.nodes["node2"]!, nextHops: [] } } };
    expect(expandEgressIPPolicy({ ...base, network: alone, requireDefaultGateway: false }).reroutes["node2"]!).toMatchObject({
      gateway: { nextHops: { node3: ["100.65.0.4"] } },
      workloads: { vm2: { addresses: ["203.203.0.18"] } },
    });
  });

  test("uses a default gateway on the old topology as next hop only if it is in a subnet of the node", () => {
    const own = (change: object) => {
      const node2 = { ...network.nodes["node2"]!, topology: "gateway" as const, ...change };
      return expandEgressIPPolicy({ ...base, network: { ...network, nodes: { ...network.nodes, node2 } } }).reroutes["node2"]!.gateway!.nextHops;
    };
    const others = { node3: ["100.65.0.4"] };
    expect(own({ nextHops: ["172.18.0.1", "fe80::1", "fc00:f853:ccd:e793::1"] })).toEqual({ node2: ["172.18.0.1", "fc00:f853:ccd:e793::1"], ...others });
    expect(own({ nextHops: ["172.18.0.1", "fe80::1"] })).toEqual({ node2: ["172.18.0.1"], ...others });
    expect(own({ externalAddresses: ["172.18.0.12/32", "fc00:f853:ccd:e793::c/64"] })).toEqual({ node2: ["fc00:f853:ccd:e793::1"], ...others });
  });

  test("marks packets, with further options, without announcements", () => {
    const { addresses, reroutes } = expandEgressIPPolicy({ ...base, mark: 50_000, keep: ["198.51.100.0/24"], announce: false, replyMark: 43 });
    expect(addresses[0]!.args).toMatchObject({ packetMark: 50_000, subnets: ["203.203.0.0/16", "2010:100:200::/60"], announce: false });
    expect(reroutes["node1"]).toMatchObject({ keep: [...KEEP, "198.51.100.0/24"], replyMark: 43 });
  });

  test("can be rendered by every kind, with addresses and workloads on any nodes", () => {
    const node = fc.constantFrom("node1", "node2", "node3");
    const some = fc.subarray(["172.18.0.202", "172.18.0.203", "172.18.0.204", "fc00:f853:ccd:e793::ca", "fc00:f853:ccd:e793::cb"], { minLength: 1 });
    fc.assert(
      fc.property(
        some,
        fc.shuffledSubarray(["node1", "node2", "node3"], { minLength: 3 }),
        fc.record({ vm1: node, vm2: node }),
        fc.subarray(["node1", "node2", "node3"]),
        fc.boolean(),
        (list, order, homes, old, moving) => {
          const nodes = Object.fromEntries(
            Object.entries(network.nodes).map(([name, node]) => [
              name,
              { ...node, topology: old.includes(name) ? ("gateway" as const) : ("transit" as const) },
            ]),
          );
          const workloads = { vm1: { ...network.workloads["vm1"]!, node: homes.vm1 }, vm2: { ...network.workloads["vm2"]!, node: homes.vm2 } };
          const addresses = Object.fromEntries(list.map((address, index) => [address, order[index % 3]!]));
          fc.pre(
            [4, 6].every((family) => {
              const on = list.filter((a) => a.includes(":") === (family === 6)).map((a) => addresses[a]);
              return new Set(on).size === on.length;
            }),
          );
          const plan = expandEgressIPPolicy({ ...base, network: { ...network, nodes, workloads, ...(moving && { upgrade: "move" as const }) }, addresses });
          for (const { args } of plan.addresses) rendered(egressAddress, args);
          for (const [zone, args] of Object.entries(plan.reroutes)) {
            expect(args.zone).toBe(zone);
            rendered(egressReroute, args);
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test.each<[Partial<EgressIPPolicyArgs>, string[]]>([
    [
      { addresses: { "172.18.0.202": "node9" } },
      ['addresses["172.18.0.202"]: "node9" is not one of the network\'s nodes: node1, node2, node3; did you mean "node1"?'],
    ],
    [
      { addresses: { "fc00::1": "node2", "fc00:0::1": "node3", "172.18.0.202": "node3" } },
      ['addresses["fc00::1"]: egress address fc00::1 is already used by node "node3"'],
    ],
    [
      { addresses: { "172.18.0.202": "node2", "172.18.0.203": "node2" } },
      ['addresses["172.18.0.203"]: node "node2"\'s egress address of IPv4 is already used by another address'],
    ],
    [
      { addresses: { "203.203.7.7": "node2" } },
      ['addresses["203.203.7.7"]: 203.203.7.7 is inside of the network\'s own subnet 203.203.0.0/16: it must be an address outside'],
    ],
    [
      { addresses: { "100.88.0.7": "node2" } },
      ['addresses["100.88.0.7"]: 100.88.0.7 is inside of the network\'s transit subnet 100.88.0.0/16: it must be an address outside'],
    ],
    [{ addresses: { "172.18.0.13": "node2" } }, ['addresses["172.18.0.13"]: 172.18.0.13 is an address of node "node3" itself']],
    [{ addresses: { "172.18.0.1": "node2" } }, ['addresses["172.18.0.1"]: 172.18.0.1 is a default gateway outside']],
    [{ addresses: { "172.18.0.300": "node2" } }, [expect.stringContaining('addresses["172.18.0.300"]: "172.18.0.300" is not an IP address') as string]],
    [{ addresses: {} }, ["addresses: needs at least one egress address"]],
    [{ workloads: [] }, ["workloads: needs at least one workload"]],
    [{ workloads: ["vm1", "vm9"] }, ['workloads[1]: "vm9" is not one of the network\'s workloads: vm1, vm2, vm4; did you mean "vm1"?']],
    [{ workloads: ["vm1", "vm1"] }, ['workloads[1]: workload "vm1" is already used by this policy']],
    [
      { workloads: ["vm1", "vm4"], addresses: { "fc00:f853:ccd:e793::ca": "node2" } },
      ['workloads[1]: "vm4" has only 203.203.0.20, and the policy has no egress address of that family'],
    ],
    [{ workloads: ["vm4"] }, ['addresses["fc00:f853:ccd:e793::ca"]: fc00:f853:ccd:e793::ca is IPv6, and no workload of the policy has an IPv6 address']],
    [{ mark: 0 }, ["mark: 0 means that a packet has no mark: use 1 to 4294967295"]],
    [{ mark: 42 }, ["mark: mark 42 is the mark of replies already"]],
    [{ mark: 4_294_967_296 }, ["mark: packet mark 4294967296 is out of range: 0 to 4294967295"]],
  ])("%j is refused", (change, expected) => {
    expect(complaints(() => expandEgressIPPolicy({ ...base, ...change }))).toEqual(expected);
  });

  describe("an address on a node without an external default route", () => {
    const outside = (change: object) =>
      expandLayer2Network({ ...layer2, nodes: { ...layer2.nodes, node2: { id: 3, external: { ...external(12), ...change } } } });
    const policy = (change: object, more: Partial<EgressIPPolicyArgs> = {}) =>
      expandEgressIPPolicy({ ...base, network: egressNetworkOf(outside(change)), ...more });
    const lost = (address: string, family: number, what: string) =>
      `addresses["${address}"]: node "node2" has no IPv${family} ${what}, so what is to leave there with ${address} would be lost: add one, choose another node, or set requireDefaultGateway: false if its gateway router has other routes`;
    const [four, six] = ["172.18.0.202", "fc00:f853:ccd:e793::ca"] as const;

    test.each<[string, object, string[]]>([
      ["no default gateway", { nextHops: [] }, [lost(four, 4, "default gateway outside (nextHops)"), lost(six, 6, "default gateway outside (nextHops)")]],
      ["no default gateway of one family", { nextHops: ["172.18.0.1"] }, [lost(six, 6, "default gateway outside (nextHops)")]],
      ["no address of one family", { addresses: ["172.18.0.12/24"], nextHops: ["172.18.0.1"] }, [lost(six, 6, "external address")]],
    ])("%s", (_title, change, expected) => {
      expect(complaints(() => policy(change))).toEqual(expected);
      const elsewhere = policy(change, { requireDefaultGateway: false });
      expect(elsewhere).toEqual(
        expandEgressIPPolicy({
          ...base,
          network: { ...network, nodes: { ...network.nodes, node2: egressNetworkOf(outside(change)).nodes["node2"]! } },
          requireDefaultGateway: false,
        }),
      );
      expect(elsewhere.addresses.map(({ node }) => node)).toEqual(["node2", "node3", "node2"]);
    });

    test("is accepted on other nodes, and so is one of a family that the node has", () => {
      expect(policy({ nextHops: [] }, { addresses: { "172.18.0.203": "node3" } }).addresses).toHaveLength(1);
      expect(policy({ nextHops: ["172.18.0.1"] }, { addresses: { [four]: "node2" } }).addresses).toHaveLength(1);
    });

    test("is refused for a described network without default gateways", () => {
      const described = { ...network, nodes: { ...network.nodes, node2: { id: 3, externalAddresses: ["172.18.0.12/24"] } } };
      expect(complaints(() => expandEgressIPPolicy({ ...base, network: described, addresses: { [four]: "node2" } }))).toEqual([
        lost(four, 4, "default gateway outside (nextHops)"),
      ]);
    });
  });

  test("an address of a family without next hops in the network", () => {
    const ipv4 = egressNetworkOf(expandLayer2Network({ ...layer2, subnets: ["203.203.0.0/16"], workloads: { vm4: layer2.workloads.vm4 } }));
    expect(
      complaints(() => expandEgressIPPolicy({ ...base, network: ipv4, workloads: ["vm4"], addresses: { "172.18.0.202": "node2", "fc00::ca": "node3" } })),
    ).toEqual(['addresses["fc00::ca"]: fc00::ca is IPv6, and the network has no IPv6: there would be no next hop to it']);
  });
});
