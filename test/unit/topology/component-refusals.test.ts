import fc from "fast-check";
import type { ZodType } from "zod";
import {
  addressPoolSchema,
  allocateAddresses,
  ArgumentError,
  egressNetworkOf,
  expandEgressIPPolicy,
  expandLayer2Network,
  expandNodeLocalAccess,
  expandVpc,
  kinds,
  type Layer2NetworkArgs,
  layer2NetworkSchema,
} from "@pulumi-ovn/provider";
import { egressIPPolicySchema, networkMembersSchema, nodeLocalAccessSchema } from "@pulumi-ovn/provider/testing";
import { accepted, vpcSchema } from "@pulumi-ovn/provider/tools";
import { SAMPLE } from "../vpc/sample";
import { changed, type Pool } from "./arbitrary-arguments";
import { dual } from "./networks";

/** A resource that a component makes. */
interface Child {
  readonly name: string;
  /** Check of the resource itself. */
  readonly check: () => unknown;
}

interface Component<Args extends object> {
  readonly schema: ZodType;
  readonly bases: readonly Args[];
  readonly children: (args: Args) => Child[];
}

/** A kind, as far as a check of arguments is concerned. */
interface Checkable {
  readonly name: string;
  readonly schema: ZodType;
  readonly render: (args: never, facts: never) => unknown;
}

const child = (kind: unknown, args: unknown): Child => {
  const { name, schema, render } = kind as Checkable;
  return { name, check: () => render(accepted(schema, args) as never, {} as never) };
};

const host = (index: number, more: object = {}) => ({
  routerPort: `rtos-node${index}`,
  hostAddresses: [`172.18.0.11${index}`],
  management: { addresses: [`192.168.${index}.2`] },
  ...more,
});

const v4 = { ...dual, subnets: ["203.203.0.0/16"], workloads: { vm1: { node: "node1", addresses: ["203.203.0.17"] } } };
const managed = { management: { services: ["10.96.0.0/16"] }, networkId: 7, masquerade: { hostFlows: true } };
const onNode1 = (base: Layer2NetworkArgs, more: object): Layer2NetworkArgs => ({
  ...base,
  nodes: { ...base.nodes, node1: { ...base.nodes["node1"]!, ...more } },
});

const network: Component<Layer2NetworkArgs> = {
  schema: layer2NetworkSchema,
  bases: [
    dual,
    v4,
    onNode1({ ...dual, ...managed }, { hostAddresses: ["172.18.0.11", "fc00:f853:ccd:e793::b"] }),
    onNode1({ ...v4, ...managed, gatewayMode: "local", ctCommitAll: true }, { hostAddresses: ["172.18.0.11"] }),
    onNode1({ ...dual, management: {}, upgrade: "move" }, { topology: "gateway" }),
    { ...dual, upgrade: "announce", routerAdvertisements: { enabled: true } },
    {
      ...dual,
      advertised: {
        translateTo: ["172.18.0.0/24"],
        isolateFrom: ["10.7.0.0/16"],
        dropFrom: ["10.8.0.0/16"],
        importRoutes: { table: 4001, uplink: "eth0", neighbors: ["fc00:f853:ccd:e793::5"] },
      },
    },
    onNode1(dual, { furtherExternals: { storage: { addresses: ["10.50.0.4/24"], routes: { disks: { prefix: "10.60.0.0/16", nextHops: ["10.50.0.1"] } } } } }),
    onNode1(dual, { additionalChassis: { h9: { tunnelAddresses: ["198.18.0.9"] } } }),
  ],
  children: (args) => {
    // The class requires them.
    const { zones, members } = expandLayer2Network({ tunnelKeys: dual.tunnelKeys!, ...args });
    return [
      { name: "NetworkMembers", check: () => accepted(networkMembersSchema, members) },
      ...Object.values(zones).flatMap((zone) => [
        child(kinds.Layer2Switch, zone.switch),
        child(kinds.GatewayRouter, zone.gatewayRouter),
        child(kinds.Layer2Gateway, zone.gateway),
        ...(zone.workloads ? [child(kinds.WorkloadPorts, zone.workloads)] : []),
        ...(zone.remoteChassis ? [child(kinds.RemoteChassis, zone.remoteChassis)] : []),
      ]),
    ];
  },
};

type EgressArgs = Parameters<typeof expandEgressIPPolicy>[0];
const egressBase = (base: Layer2NetworkArgs): EgressArgs => ({
  name: "web",
  network: egressNetworkOf(expandLayer2Network(base)),
  workloads: Object.keys(base.workloads!),
  addresses: { "172.18.0.202": "node2" },
});
const egress: Component<EgressArgs> = {
  schema: egressIPPolicySchema,
  bases: [egressBase(dual), { ...egressBase(v4), mark: 7 }, egressBase(onNode1({ ...dual, upgrade: "move" }, { topology: "gateway" }))],
  children: (args) => {
    const { addresses, reroutes } = expandEgressIPPolicy(args);
    return [
      ...addresses.map((address) => child(kinds.EgressAddress, address.args)),
      ...Object.values(reroutes).map((zone) => child(kinds.EgressReroute, zone)),
    ];
  },
};

type AccessArgs = Parameters<typeof expandNodeLocalAccess>[0];
const access: Component<AccessArgs> = {
  schema: nodeLocalAccessSchema,
  bases: [
    { zones: { z1: { router: "tr", nodes: { node1: host(1) } }, z2: { router: "tr", nodes: { node2: host(2) } } } },
    {
      subnets: ["169.254.0.0/29"],
      zones: { central: { router: "r", nodes: { a: host(1, { hostZone: "h1" }), "b-a": host(2, { hostZone: "h2", chassis: "c2" }) } } },
    },
    { addresses: { node1: ["169.254.0.7"] }, zones: { z1: { router: "tr", nodes: { node1: host(1) } }, z2: { router: "tr", nodes: { node2: host(2) } } } },
    { gatewayMode: "local", clusterSubnets: ["192.168.0.0/16"], zones: { z1: { router: "tr", nodes: { node1: host(1) } } } },
  ],
  children: (args) => {
    const { pool, gateways, bridges } = expandNodeLocalAccess(args);
    const given = () => allocateAddresses(accepted(addressPoolSchema, pool), {});
    return [
      { name: "AddressPool", check: given },
      ...Object.values(bridges).map((bridge) => child(kinds.NodeLocalBridge, bridge)),
      ...Object.values(gateways).map((gateway) => ({
        name: "NodeLocalGateway",
        check: () => {
          const addresses = given();
          const nodes = Object.fromEntries(Object.entries(gateway.nodes).map(([node, own]) => [node, { ...own, addresses: addresses[node]! }]));
          return child(kinds.NodeLocalGateway, { ...gateway, nodes }).check();
        },
      })),
    ];
  },
};

const vpc: Component<Parameters<typeof expandVpc>[0]> = {
  schema: vpcSchema,
  bases: [SAMPLE],
  children: (args) => {
    const { bridges, routers } = expandVpc(args);
    return [
      ...Object.values(bridges).map((part) => child(kinds.VpcBridges, part)),
      ...Object.values(routers).map((part) => child(kinds.LogicalRouterBridge, part)),
    ];
  },
};

/** Every text and number of the arguments, and what no argument expects. */
function poolOf(base: unknown): Pool {
  const texts = new Set(["", "x", "node1", "node9", ...ADDRESSES]);
  const numbers = new Set([0, 1, 2, 3, 9, 10, 32_757, 65_535, 4_294_967_295]);
  const names = new Set(["x", "node9"]);
  const gather = (value: unknown): void => {
    if (typeof value === "string") texts.add(value);
    else if (typeof value === "number") numbers.add(value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, inner] of Object.entries(value)) {
        if (!Array.isArray(value)) names.add(key);
        gather(inner);
      }
    }
  };
  gather(base);
  return { texts: [...texts], numbers: [...numbers], names: [...names] };
}

const ADDRESSES = [
  ...["10.9.0.0/16", "10.9.0.4", "10.9.0.4/24", "0.0.0.0/0", "203.203.0.1", "203.203.0.9", "203.203.0.17", "203.203.255.255", "172.18.0.1", "172.18.0.40"],
  ...["2001:db8::/64", "2001:db8::4", "2001:db8::4/64", "::/0", "fe80::1", "2010:100:200::9", "fc00:f853:ccd:e793::1", "169.254.0.2", "fd99:1::5"],
  ...["0a:58:cb:cb:00:01", "0a:58:00:00:00:09", "255.255.255.255", "224.0.0.1"],
];

/** Refusals of children of arguments that the component has accepted; undefined when it has refused them itself. */
function refusals<Args extends object>({ children }: Component<Args>, args: Args): string[] | undefined {
  let made: Child[];
  try {
    made = children(args);
  } catch (error) {
    if (error instanceof ArgumentError) return undefined;
    throw error;
  }
  return made.flatMap(({ name, check }) => {
    try {
      check();
      return [];
    } catch (error) {
      return [`${name}: ${String(error)}`];
    }
  });
}

describe("a component's resources accept all arguments that the component accepts", () => {
  test.each([
    ["Layer2Network", network as unknown as Component<object>],
    ["EgressIPPolicy", egress as unknown as Component<object>],
    ["NodeLocalAccess", access as unknown as Component<object>],
    ["Vpc", vpc as unknown as Component<object>],
  ])("%s", (_name, component) => {
    for (const base of component.bases) {
      for (const { check } of component.children(base)) check();
      let both = 0;
      const args = changed(component.schema, base, poolOf(base));
      fc.assert(
        fc.property(args, (some) => {
          const found = refusals(component, some);
          if (found !== undefined) both++;
          expect(found ?? []).toEqual([]);
        }),
        { numRuns: 80 },
      );
      // Neither side refuses everything.
      expect(both).toBeGreaterThan(3);
    }
  });
});
