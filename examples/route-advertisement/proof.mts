import { attempt, type Check, hasKubernetesPlugin, leavesAs, pingable, type Sandbox, type Scenario } from "@pulumi-ovn/sandbox";
import { ANNOUNCED, prepareFabric } from "./fabric.mts";

/** A namespace's kernel has a prefix from BGP, by these next hops. */
const learned = (sandbox: Sandbox, place: string, prefix: string, nextHops: readonly string[]): Promise<Check> =>
  attempt(`in the kernel of ${place}`, `${prefix} by ${nextHops.join(" and ")}`, async () => {
    const { stdout } = await sandbox.exec(place, ["ip", prefix.includes(":") ? "-6" : "-4", "route", "show", prefix, "proto", "bgp"], { timeout: 5_000 });
    const found = [...stdout.matchAll(/via (?:inet6 )?(\S+)/g)].map(([, hop]) => hop).sort();
    if (found.join() !== [...nextHops].sort().join()) throw new Error(found.length === 0 ? "there is no route" : `it goes by ${found.join(" and ")}`);
    return undefined;
  });

export default {
  sandbox: { hosts: 2, kubernetes: true },

  prepare: prepareFabric,

  // The templates are those of @pulumi/kubernetes where its plugin is: on PATH, in the user's Pulumi home, or built before.
  configuration: ({ cluster }): Record<string, string> =>
    hasKubernetesPlugin() ? { kubernetesPlugin: "true", "kubernetes:kubeconfig": cluster.kubeconfig } : {},

  async prove({ sandbox }): Promise<Check[]> {
    return [
      await learned(sandbox, "ext", "203.203.0.0/16", ["172.18.0.11", "172.18.0.12"]),
      await learned(sandbox, "ext", "2010:100:200::/60", ["fe80::858:acff:fe12:b", "fe80::858:acff:fe12:c"]),
      await learned(sandbox, "node1", ANNOUNCED.range, ["172.18.0.1"]),
      await pingable(sandbox, "beside it: outside to a host", "ext", "172.18.0.111"),
      await pingable(sandbox, "outside to a workload by its own address", "ext", "203.203.0.17"),
      await pingable(sandbox, "on the other host, too", "ext", "203.203.0.18"),
      await pingable(sandbox, "by IPv6", "ext", "2010:100:200::11"),
      await pingable(sandbox, "a workload to the range that the fabric announces", "vm1", ANNOUNCED.address),
      await leavesAs(sandbox, "with its own address", "vm1", ANNOUNCED.address, ["203.203.0.17"]),
    ];
  },
} satisfies Scenario;
