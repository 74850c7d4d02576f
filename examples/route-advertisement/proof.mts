import { type Check, hasKubernetesPlugin, learns, leavesAs, pingable, type Scenario } from "@pulumi-ovn/sandbox";
import { ANNOUNCED, prepareFabric } from "./fabric.mts";

export default {
  sandbox: { hosts: 2, kubernetes: true },

  prepare: prepareFabric,

  // The templates are those of @pulumi/kubernetes where its plugin is: on PATH, in the user's Pulumi home, or built before.
  configuration: ({ cluster }): Record<string, string> =>
    hasKubernetesPlugin() ? { kubernetesPlugin: "true", "kubernetes:kubeconfig": cluster.kubeconfig } : {},

  async prove({ sandbox }): Promise<Check[]> {
    return [
      await learns(sandbox, "in the kernel of ext", "ext", "203.203.0.0/16", ["172.18.0.11", "172.18.0.12"]),
      await learns(sandbox, "in the kernel of ext", "ext", "2010:100:200::/60", ["fe80::858:acff:fe12:b", "fe80::858:acff:fe12:c"]),
      await learns(sandbox, "in the kernel of node1", "node1", ANNOUNCED.range, ["172.18.0.1"]),
      await pingable(sandbox, "beside it: outside to a host", "ext", "172.18.0.111"),
      await pingable(sandbox, "outside to a workload by its own address", "ext", "203.203.0.17"),
      await pingable(sandbox, "on the other host, too", "ext", "203.203.0.18"),
      await pingable(sandbox, "by IPv6", "ext", "2010:100:200::11"),
      await pingable(sandbox, "a workload to the range that the fabric announces", "vm1", ANNOUNCED.address),
      await leavesAs(sandbox, "with its own address", "vm1", ANNOUNCED.address, ["203.203.0.17"]),
    ];
  },
} satisfies Scenario;
