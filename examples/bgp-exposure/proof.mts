import { attempt, type Check, connects, type Example, pingable, type Sandbox, type Scenario, serving } from "@pulumi-ovn/sandbox";
import { prepareOthers } from "./others.mts";

const workload = (name: string, host: string, mac: string, addresses: readonly string[], gateways: readonly string[]) => ({ name, host, mac, addresses, gateways });

/** The leaf has the route over its cable to this host, whose name the interface has. */
const announcedBy = (sandbox: Sandbox, what: string, prefix: string, host: string): Promise<Check> =>
  attempt(what, `leaf1 -> ${prefix} by ${host}`, async () => {
    const { stdout } = await sandbox.exec("leaf1", ["ip", "route", "show", prefix, "proto", "bgp"], { timeout: 5_000 });
    const found = [...stdout.matchAll(/ dev (\S+)/g)].map(([, name]) => name);
    if (found.join() !== host) throw new Error(found.length === 0 ? "there is no route" : `its device is ${found.join(" and ")}`);
    return undefined;
  });

interface Exposures { readonly exposures: readonly { readonly chassis: readonly { readonly chassis: string; readonly routes: readonly unknown[] }[] }[] }

/** Checks that every chassis announces what its agent wants; the command fails otherwise. */
const told = (example: Example): Promise<Check> =>
  attempt("pulumi-ovn status", "agents, kernels and FRR agree", async () => {
    const { exposures } = JSON.parse(await example.tool("status", "--json")) as Exposures;
    return exposures.flatMap(({ chassis }) => chassis.map((one) => `${one.chassis}: ${one.routes.length}`)).join(", ");
  });

export default {
  sandbox: {
    fabric: true,
    hostsPerZone: 3,
    workloads: [
      // The hosts' bridges answer for addresses behind them, including the gateway of the provider network.
      workload("vm1", "node1", "0a:58:c6:33:64:05", ["198.51.100.5/24", "2001:db8:5::5/64"], ["198.51.100.1", "2001:db8:5::"]),
      workload("vm2", "node2", "0a:58:0a:01:00:06", ["10.1.0.6/24"], ["10.1.0.1"]),
      workload("vm3", "node3", "0a:58:0a:01:00:07", ["10.1.0.7/24"], ["10.1.0.1"]),
    ],
  },

  prepare: prepareOthers,

  prove: ({ sandbox, example }): Promise<Check[]> =>
    serving(sandbox, "vm3", 8080, async () => {
      const checks = [
        await pingable(sandbox, "outside to a workload of the provider network", "ext", "198.51.100.5"),
        await pingable(sandbox, "by IPv6", "ext", "2001:db8:5::5"),
        await announcedBy(sandbox, "announced from its chassis", "198.51.100.5", "node1"),
        await pingable(sandbox, "to a floating IP", "ext", "198.51.100.6"),
        await announcedBy(sandbox, "announced from its workload's chassis", "198.51.100.6", "node2"),
        await connects(sandbox, "to a load balancer", "ext", "198.51.100.80", 80, ["vm3"]),
        await announcedBy(sandbox, "announced from the gateway's chassis", "198.51.100.80", "node1"),
        await pingable(sandbox, "to a workload of the tenant network", "ext", "10.1.0.7"),
        await announcedBy(sandbox, "its network is announced from there, too", "10.1.0.0/24", "node1"),
      ];
      await sandbox.moveWorkload("vm1", "node3");
      return [
        ...checks,
        await announcedBy(sandbox, "the provider workload has moved: so has its route", "198.51.100.5", "node3"),
        await pingable(sandbox, "and it answers there", "ext", "198.51.100.5"),
        await pingable(sandbox, "beside it, what has not moved", "ext", "198.51.100.6"),
        await told(example),
      ];
    }),
} satisfies Scenario;
