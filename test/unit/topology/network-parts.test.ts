import fc from "fast-check";
import {
  egressNetworkOf,
  expandLayer2Network,
  type Layer2NetworkArgs,
  type LooseNetworkArgs,
  needsOf,
  partialNetwork,
  planLayer2Network,
  partOf,
} from "@pulumi-ovn/provider";
import { dual } from "./networks";

const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });

const storage = (net: string) => ({
  storage: { addresses: [`${net}.12/24`], mtu: 1300, vlan: 9, routes: { backup: { prefix: "10.60.0.0/16", nextHops: [`${net}.1`] } } },
});

/** Networks with any of the arguments on which parts depend. */
const networks: fc.Arbitrary<Layer2NetworkArgs> = fc
  .record({
    options: fc.record(
      {
        multicast: fc.record({ querier: fc.boolean() }),
        management: fc.record({ acl: fc.boolean(), services: fc.constantFrom<string[]>([], ["10.96.0.0/12"]) }),
        gatewayAddresses: fc.constant(["203.203.0.9"]),
        joinSubnets: fc.constantFrom(["100.64.0.0/16"], ["100.88.0.0/16"]),
        transitSubnets: fc.constantFrom(["100.90.0.0/16"], ["100.90.0.0/16", "fd90::/64"]),
        networkId: fc.constant(7),
        mtu: fc.constantFrom(1300, 1500),
        snat: fc.boolean(),
        gatewayMode: fc.constantFrom("shared" as const, "local" as const),
        ctCommitAll: fc.boolean(),
        gatewayRouterCtCommitAll: fc.boolean(),
        snatPorts: fc.constant("32768-60999"),
        routerAdvertisements: fc.constant({ maxInterval: 60, minInterval: 20 }),
        neighbors: fc.constant({ agingThreshold: 5 }),
        externalIds: fc.constant({ who: "me" }),
      },
      { requiredKeys: ["management", "networkId"] },
    ),
    masquerade: maybe(fc.constant({ hostFlows: true })),
    advertised: maybe(
      fc.constantFrom(
        {},
        { translateTo: ["172.18.0.0/16"], isolateFrom: ["203.204.0.0/16"], dropFrom: ["203.205.0.0/16"] },
        { importRoutes: { table: 1101, uplink: "uplink" } },
      ),
    ),
    stage: fc.constantFrom(undefined, "move" as const, "announce" as const, "follow" as const, "settle" as const),
    old: fc.boolean(),
    outside: fc.constantFrom("172.18.0", "100.88.7"),
    host: maybe(fc.constantFrom("172.18.0.11", "100.88.200.1")),
    switchPortKey: maybe(fc.constantFrom(1, 2, 3, 30_000)),
    encapsulation: maybe(fc.constant("vxlan" as const)),
    portSecurity: maybe(fc.boolean()),
    tunnelKey: maybe(fc.constantFrom(4, 9, 500)),
    further: maybe(fc.constantFrom("10.50.0", "100.88.8")),
  })
  .map(({ options, masquerade, advertised, stage, old, outside, host, switchPortKey, encapsulation, portSecurity, tunnelKey, further }) => {
    const { node1, node2, node3 } = dual.nodes as Required<typeof dual.nodes>;
    const external = { ...node3!.external, addresses: [`${outside}.13/24`], nextHops: [`${outside}.1`], bridge: "br-x", vlan: 7 };
    return {
      ...dual,
      tunnelKeys: undefined,
      ...options,
      ...(masquerade && { masquerade }),
      ...(advertised && !masquerade && options.gatewayMode !== "local" && options.snat !== false && { advertised }),
      ...(stage && { upgrade: stage }),
      nodes: {
        node1: { ...node1!, chassis: "h1", ...(host && { hostAddresses: [host] }), additionalChassis: { h9: { tunnelAddresses: ["198.18.0.9"] } } },
        node2: {
          ...node2!,
          zone: "b",
          ...(further && options.gatewayMode !== "local" && { furtherExternals: storage(further) }),
          ...(stage === "move" && old && { topology: "gateway" as const }),
          ...(encapsulation && !stage && { encapsulation }),
        },
        node3: { ...node3!, ...(switchPortKey && { switchPortKey }), external },
      },
      workloads: {
        ...dual.workloads,
        vm2: { ...dual.workloads!.vm2!, ...(tunnelKey && { tunnelKey }) },
        vm1: { ...dual.workloads!.vm1!, mac: "02:00:00:00:00:07", migration: { to: "node2" }, ...(portSecurity !== undefined && { portSecurity }) },
      },
    } as Layer2NetworkArgs;
  });

const defined = (args: Layer2NetworkArgs) => JSON.parse(JSON.stringify(args)) as Layer2NetworkArgs;

/** External addresses must not be in the join subnet. */
const possible = ({ joinSubnets, nodes: { node1, node2, node3 } }: Layer2NetworkArgs) =>
  joinSubnets?.[0] !== "100.88.0.0/16" ||
  ![node3!.external.addresses[0]!, ...(node1!.hostAddresses ?? []), ...(node2!.furtherExternals?.storage?.addresses ?? [])].some((address) =>
    address.startsWith("100.88"),
  );

it("the parts of a network equal those of the whole", () => {
  fc.assert(
    fc.property(networks.filter(possible).map(defined), (args) => {
      const [plan, whole] = [planLayer2Network(args), expandLayer2Network(args)];
      const needs = needsOf(args as unknown as LooseNetworkArgs);
      const shared = partialNetwork(needs.gateways.network);
      for (const zone of Object.values(plan.zones)) {
        const { node } = zone;
        expect(partOf.switch(partialNetwork(needs.switches.network), node)).toEqual(zone.switch);
        expect(partOf.gatewayRouter(partialNetwork(needs.gatewayRouters.network), partialNetwork(needs.gatewayRouters.own(node)))).toEqual(zone.gatewayRouter);
        expect(partOf.gateway(shared, partialNetwork(needs.gateways.own(node)))).toEqual(zone.gateway);
        expect(partOf.workloads(partialNetwork(needs.workloads.network), node)).toEqual(zone.workloads);
        expect(partOf.remoteChassis(partialNetwork(needs.remoteChassis.network), node)).toEqual(zone.remoteChassis);
      }
      const { nodes, chassis, workloads } = partOf.members;
      expect({
        nodes: nodes(partialNetwork(needs.nodes.network)),
        chassis: chassis(partialNetwork(needs.remoteChassis.network)),
        workloads: workloads(partialNetwork(needs.workloads.network)),
      }).toEqual(plan.members);
      expect({ ...whole, zones: undefined }).toEqual({ ...plan, zones: undefined });
      expect(partOf.defaultGateway(partialNetwork(needs.gateway.network))).toEqual(plan.gateway);
      expect(partOf.transitSubnets(partialNetwork(needs.transitSubnets.network))).toEqual(plan.transitSubnets);
      for (const [name, workload] of Object.entries(plan.workloads)) expect(partOf.workload(partialNetwork(needs.workload(name).network))).toEqual(workload);
      expect(
        (Object.keys(partOf.claims) as (keyof typeof partOf.claims)[]).flatMap((part) => partOf.claims[part](partialNetwork(needs[part].network))),
      ).toEqual(plan.claims);
      expect(egressNetworkOf(partOf.egress(partialNetwork(needs.egress.network)))).toEqual(egressNetworkOf(plan));
    }),
    { numRuns: 60 },
  );
});

it("no value is read: each may be an output", () => {
  const value = new Proxy(() => undefined, {
    get: () => {
      throw new Error("looked into");
    },
  });
  const all = {
    name: value,
    subnets: value,
    mtu: value,
    management: value,
    nodes: { node1: { id: value, external: value, hostAddresses: value, tunnelAddresses: value, topology: value } },
    workloads: { vm1: value },
    upgrade: value,
    transitSubnets: value,
  };
  const { gateways, gatewayRouters, workload } = needsOf(all as unknown as LooseNetworkArgs);
  expect((gateways.network as LooseNetworkArgs).subnets).toBe(value);
  expect(gateways.own("node1").nodes.node1!.hostAddresses).toBe(value);
  expect(gatewayRouters.own("node1").nodes.node1!.external).toBe(value);
  expect(workload("vm1").network.workloads.vm1).toBe(value);
  for (const part of ["gateways", "names"] as const) {
    const advertised = (given: unknown) =>
      (needsOf({ ...all, advertised: given } as unknown as LooseNetworkArgs)[part].network as LooseNetworkArgs)["advertised"] as Record<string, unknown>;
    const learning = advertised({ translateTo: value, importRoutes: value });
    expect([Object.keys(learning), learning["importRoutes"] === value, advertised(value) === (value as unknown)]).toEqual([["importRoutes"], true, true]);
  }
  expect((gateways.network as LooseNetworkArgs).workloads?.vm1).toBe(value);
});
