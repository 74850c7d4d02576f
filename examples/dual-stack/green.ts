import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";
import { hosts, names, outside } from "./hosts";

/** IPv4 and IPv6, by the component: a dozen lines, and everything else is derived. */
export function green(tunnelKeys: pulumi.Input<number[]>): ovn.Layer2Network {
  const nodes: ovn.Layer2NetworkArgs["nodes"] = {};
  for (const name of names) {
    const { id } = hosts[name];
    const addresses = [`${outside.ipv4(9 + id)}/${outside.ipv4Length}`, `${outside.ipv6(9 + id)}/${outside.ipv6Length}`];
    nodes[name] = { id, external: { addresses, nextHops: [outside.ipv4(1), outside.ipv6(1)] } };
  }
  return new ovn.Layer2Network("green", {
    name: "green",
    subnets: ["203.203.0.0/16", "2010:100:200::/60"],
    tunnelKeys,
    // Every host gets a port in the network, the second address of each subnet: k8s-green_<node>.
    management: {},
    // Subnets that clash with nothing at this site.
    joinSubnets: ["100.70.0.0/22", "fd70::/112"],
    transitSubnets: ["100.71.0.0/22", "fd71::/112"],
    nodes,
    workloads: {
      vm1: { node: "node1", addresses: ["203.203.0.17", "2010:100:200::11"] },
      vm2: { node: "node2", addresses: ["203.203.0.18", "2010:100:200::12"] },
      vm3: { node: "node3", addresses: ["203.203.0.19", "2010:100:200::13"] },
    },
  });
}
