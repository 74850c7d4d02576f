import { type AgentExposure, type LoadBalancer, type PortBinding } from "@pulumi-ovn/provider/agent";
import { type HostState, type Problem, type Snapshot, desired } from "@pulumi-ovn/agent";
import { EMPTY_SNAPSHOT, exposureOf } from "../../../support/agent-input";

export const HERE = "uuid-of-h1";
export const ELSEWHERE = "uuid-of-h2";
export const BRIDGE = { name: "br-ex", mac: "0a:00:00:00:00:ee", patches: { ln: "7", "ln-vlan": "8" } };

/** A row; its datapath's name is the network's, and shows by "router" what it is. */
export function port(name: string, network: string, more: Partial<PortBinding> = {}): PortBinding {
  return {
    name,
    type: "",
    datapath: `dp-${network}`,
    network,
    router: network.startsWith("router"),
    logicalRouter: network.startsWith("router") ? `nb-${network}` : null,
    chassis: null,
    up: false,
    mac: [],
    natAddresses: [],
    tag: null,
    options: {},
    externalIds: {},
    ...more,
  };
}
export const bound = (name: string, network: string, mac: string, more: Partial<PortBinding> = {}) =>
  port(name, network, { chassis: HERE, up: true, mac: [mac], ...more });
export const localnet = (name: string, network: string, physical: string, tag: number | null = null) =>
  port(name, network, { type: "localnet", tag, options: { network_name: physical } });

/** A router's port and the switch's port to it. */
export function joined(
  router: string,
  network: string,
  mac: string,
  more: { type?: string; router?: Partial<PortBinding>; switch?: Partial<PortBinding> } = {},
): PortBinding[] {
  const [own, peer, type] = [`${router}-${network}`, `${network}-${router}`, more.type ?? "patch"];
  return [
    port(own, router, { type, mac: [mac], ...more.router, options: { peer, ...more.router?.options } }),
    port(peer, network, { type, mac: ["router"], ...more.switch, options: { peer: own } }),
  ];
}
/** A distributed router's gateway port. */
export function gatewayPort(router: string, network: string, mac: string, chassis: string | null, more: Parameters<typeof joined>[3] = {}): PortBinding[] {
  const [own, cr] = [`${router}-${network}`, `cr-${router}-${network}`];
  return [
    ...joined(router, network, mac, { ...more, router: { ...more.router, options: { "chassis-redirect-port": cr } } }),
    port(cr, router, { type: "chassisredirect", chassis, mac: [mac], options: { "distributed-port": own } }),
  ];
}

export const EXT = localnet("ln", "ext", "physnet");
export const ROUTER_MAC = "0a:00:00:00:01:01";
export const GATEWAY = gatewayPort("router1", "ext", `${ROUTER_MAC} 198.51.100.2/24 2001:db8::2/64`, HERE);
export const TENANT = joined("router1", "tenant1", "0a:00:00:00:01:02 10.1.0.1/24 2001:db8:1::1/64");

/** An exposure of all that the agent can announce. */
export const ALL = { providerPorts: true, floatingIPs: true, loadBalancers: true, tenantNetworks: "host" } as const satisfies Partial<AgentExposure>;

export function snapshot(ports: readonly PortBinding[], asked: Partial<AgentExposure> | Record<string, string>, more: Partial<Snapshot> = {}): Snapshot {
  const exposures = Object.values(asked).some((value) => typeof value === "string" && value.startsWith("{"))
    ? (asked as Record<string, string>)
    : { blue: exposureOf(asked as Partial<AgentExposure>) };
  return {
    ...EMPTY_SNAPSHOT,
    chassis: { name: "h1", uuid: HERE },
    bridges: { physnet: BRIDGE },
    ports,
    exposures,
    ...more,
  };
}
/** @param routersKnown false: of a release before 23.09 */
export const balancer = (name: string, datapaths: string[], vips: Record<string, string>, routersKnown = false): LoadBalancer => ({
  name,
  routersKnown,
  datapaths: datapaths.map((one) => `dp-${one}`),
  vips,
});

/** A state as a list of texts. */
export function lines({ taggedPorts, devices, addresses, routes, rules, neighbors, proxies, flows, bgp }: HostState): string[] {
  return [
    ...taggedPorts.map(({ name, bridge, tag, mac }) => `port ${name} of ${bridge} tag ${tag} mac ${mac}`),
    ...devices.map((device) => `device ${device}`),
    ...addresses.map(({ device, address }) => `address ${address} dev ${device}`),
    ...routes.map(({ table, destination, via, device }) => `route ${destination}${via === null ? "" : ` via ${via}`} dev ${device} table ${table}`),
    ...rules.map(({ family, priority, table }) => `rule ${priority} inet${family} table ${table}`),
    ...neighbors.map(({ device, address, mac }) => `neighbor ${address} ${mac} dev ${device}`),
    ...proxies.map(({ device, address }) => `proxy ${address} dev ${device}`),
    ...flows.flatMap(({ bridge, flows: all }) => all.map((flow) => `flow ${bridge} ${flow}`)),
    ...(bgp ? [`bgp ${bgp.asNumber} ${bgp.routerId ?? "-"} table ${bgp.table}`] : []),
  ];
}

/** Objects that the first link of a bridge needs. */
export const LINK = [
  "device br-ex",
  "address 169.254.1.1/32 dev br-ex",
  "address fd53:d91e:400:7f17::1:1/128 dev br-ex",
  "flow br-ex priority=910,in_port=7,dl_src=0a:00:00:00:00:ee,actions=drop",
  "flow br-ex priority=900,ip,in_port=7,actions=set_field:0a:00:00:00:00:ee->eth_dst,NORMAL",
  "flow br-ex priority=900,ipv6,in_port=7,actions=set_field:0a:00:00:00:00:ee->eth_dst,NORMAL",
];
export const BASE = ["rule 32000 inet4 table 1200", "rule 32000 inet6 table 1200", "bgp 64513 - table 1200"];
/** State of a host that may announce addresses of the network "ext" and has none. */
export const PREPARED = [...LINK.slice(0, 3), ...BASE.slice(0, 2), ...LINK.slice(3), ...BASE.slice(2)];

export const stateOf = (from: Snapshot): string[] => lines(desired(from).state);
export const routes = (from: Snapshot): string[] =>
  desired(from).state.routes.map(({ destination, via, device }) => `${destination}${via === null ? "" : ` via ${via}`} ${device}`);
export const problems = (from: Snapshot): string[] => desired(from).problems.map(({ code, subject }: Problem) => `${code} ${subject}`);

/** Additions of a change of the database. Checks that everything else stays, and that reverting the change restores the state. */
export function appears(before: Snapshot, after: Snapshot): string[] {
  const [first, second] = [stateOf(before), stateOf(after)];
  expect(first.filter((line) => !second.includes(line))).toEqual([]);
  return second.filter((line) => !first.includes(line));
}
