import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";

/**
 * Node of a guest, and during a migration its destination; equal when it has arrived or never left:
 * pulumi config set --path guests.vm1.to node2
 * pulumi config set --path guests.vm1.node node2
 */
interface Place {
  readonly node: string;
  readonly to?: string;
}

const given = new pulumi.Config().getObject<Record<string, Partial<Place>>>("guests") ?? {};
const homes: Record<string, string> = { vm1: "node1", vm2: "node2", vm3: "node3" };
for (const name of Object.keys(given))
  if (!Object.hasOwn(homes, name)) throw new pulumi.RunError(`guests.${name}: there is no such guest; there are ${Object.keys(homes).join(", ")}`);

const places = Object.fromEntries(Object.entries(homes).map(([name, node]): [string, Place] => [name, { node, ...given[name] }]));
const underWay = ({ node, to }: Place) => to !== undefined && to !== node;

const keys = new ovn.TunnelKeyPool("keys", { owners: { blue: 2 } });
const outside = { nextHops: ["172.18.0.1", "fc00:f853:ccd:e793::1"] };

const blue = new ovn.Layer2Network("blue", {
  name: "blue",
  subnets: ["203.203.0.0/16", "2010:100:200::/60"],
  tunnelKeys: keys.of("blue"),
  // An update that an event starts must not wait for a host that is down.
  waitFor: "none",
  nodes: {
    node1: { id: 2, tunnelAddresses: ["198.18.0.1"], external: { ...outside, addresses: ["172.18.0.11/24", "fc00:f853:ccd:e793::b/64"] } },
    node2: { id: 3, tunnelAddresses: ["198.18.0.2"], external: { ...outside, addresses: ["172.18.0.12/24", "fc00:f853:ccd:e793::c/64"] } },
    node3: { id: 4, tunnelAddresses: ["198.18.0.3"], external: { ...outside, addresses: ["172.18.0.13/24", "fc00:f853:ccd:e793::d/64"] } },
  },
  workloads: Object.fromEntries(
    Object.entries(places).map(([name, place], index) => {
      const workload = { node: place.node, addresses: [`203.203.0.${17 + index}`, `2010:100:200::${11 + index}`] };
      return [name, underWay(place) ? { ...workload, migration: { to: place.to! } } : workload];
    }),
  ),
});

/** Data for the hook: nodes and ports of the guests, and zone and chassis of each node, which have its name here. */
export const guests = Object.fromEntries(
  Object.entries(blue.workloads).map(([name, workload]) => [
    name,
    workload.apply(({ node, migratesTo, portName }) => ({ node, to: migratesTo ?? node, port: portName })),
  ]),
);
export const nodes = Object.fromEntries(Object.keys(blue.zones).map((name) => [name, { zone: name, chassis: name }]));
