import * as fc from "fast-check";

/** Program of a stack over two zones, two hosts and a cluster. */
interface Version {
  readonly subnet: number;
  /** Workloads of each zone, with an address. */
  readonly ports: readonly (readonly [workload: number, address: number])[];
  /** Zones with the workloads. */
  readonly zones: readonly string[];
  readonly sets: readonly (readonly [name: number, member: number])[];
  readonly hasGroup: boolean;
  /** Priorities and actions of flows, by host. */
  readonly flows: readonly (readonly (readonly [priority: number, action: string])[])[];
  /** Hosts with rows of a queue. */
  readonly queues: readonly (readonly [host: string, rate: number])[];
  /** Address of a workload of a VPC, which has bridges, ports and flows. */
  readonly vpc: number | undefined;
  readonly objects: readonly (readonly [name: number, value: number])[];
}

const HOSTS = ["h1", "h2"];

const small = (max: number) => fc.integer({ min: 0, max });
/** Pairs with different first parts. */
const pairs = <A, B>(first: fc.Arbitrary<A>, second: fc.Arbitrary<B>, minLength: number, maxLength: number) =>
  fc.uniqueArray(fc.tuple(first, second), { minLength, maxLength, selector: ([each]) => each });

export const version: fc.Arbitrary<Version> = fc.record({
  subnet: fc.constantFrom(14, 15),
  ports: pairs(small(5), fc.integer({ min: 1, max: 3 }), 1, 5),
  zones: fc.subarray(["node1", "node2"]),
  sets: pairs(small(3), fc.integer({ min: 1, max: 9 }), 0, 3),
  hasGroup: fc.boolean(),
  flows: fc.tuple(...HOSTS.map(() => pairs(small(5), fc.constantFrom("drop", "output:p1", "output:p2"), 0, 4))),
  queues: pairs(fc.constantFrom(...HOSTS), fc.integer({ min: 1, max: 3 }), 0, 2),
  vpc: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }),
  objects: pairs(small(3), small(3), 0, 3),
});

export function programOf({ subnet, ports, zones, sets, hasGroup, flows, queues, vpc, objects }: Version): string {
  const workloads = Object.fromEntries(ports.map(([n, address]) => [`vm${n}`, { addresses: [`203.203.${address}.${n + 1}`], tunnelKey: 20 + n }]));
  const rows = Object.fromEntries(
    sets.map(([name, member]) => [`set${name}`, { table: "Address_Set", columns: { name: `set${name}`, addresses: [`10.0.0.${member}`] } }]),
  );
  const web = { tier: "web", host: "h1", mac: `0a:00:00:00:01:0${vpc}`, addresses: [`10.1.1.1${vpc}`] };
  const maps = objects.map(([name, value]) => [
    `map${name}`,
    { apiVersion: "v1", kind: "ConfigMap", metadata: { name: `map${name}`, namespace: "app" }, data: { value: String(value) } },
  ]);
  return `
for (const zone of ["node1", "node2"]) {
  const sw = new ovn.Layer2Switch("sw-" + zone, { zone, name: "l2", subnets: ["203.${subnet === 14 ? 200 : 202}.0.0/${subnet}"], tunnelKey: 16715800 });
  if (${JSON.stringify(zones)}.includes(zone)) new ovn.WorkloadPorts("ports-" + zone, { zone, switch: sw.uuid, ports: ${JSON.stringify(workloads)} });
  if (${sets.length > 0}) new ovn.NorthboundRows("sets-" + zone, { zone, entries: ${JSON.stringify(rows)} });
  if (${hasGroup}) new ovn.NorthboundRows("group-" + zone, { zone, entries: { group: { table: "Port_Group", columns: { name: "group" } } } });
}
${JSON.stringify(flows)}.forEach((flows, index) => {
  if (flows.length > 0) new ovn.BridgeFlows("flows" + index, {
    host: ${JSON.stringify(HOSTS)}[index],
    bridges: [{ bridge: "theirs", flows: flows.map(([priority, actions]) => \`priority=\${priority},actions=\${actions}\`) }],
  });
});
for (const [zone, rate] of ${JSON.stringify(queues)})
  new ovn.OpenVSwitchRows("queue-" + zone, { zone, entries: { queue: { table: "QoS", columns: { type: "linux-htb", other_config: { "max-rate": String(rate) } } } } });
if (${vpc !== undefined}) new ovn.Vpc("blue", {
  name: "blue", hosts: { h1: { tunnelAddress: "198.18.0.1" }, h2: { tunnelAddress: "198.18.0.2" } }, virtualRouter: { host: "h2" }, datapathType: "netdev",
  tiers: { web: { cidrs: ["10.1.1.0/24"], gateways: ["10.1.1.1"], key: 1001 } }, workloads: { web${vpc}: ${JSON.stringify(web)} },
});
new ovn.KubernetesObjects("maps", { cluster: "prod", objects: { ...${JSON.stringify(Object.fromEntries(maps))},
  always: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "always", namespace: "app" }, data: { of: "the stack" } } } });`;
}
