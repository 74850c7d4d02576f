import { blocked, type Check, connects, pingable, type Scenario, serving } from "@pulumi-ovn/sandbox";

/** MACs derive from the addresses. */
const server = (name: string, host: string, last: number) => ({ name, host, mac: `0a:58:0a:50:00:${last.toString(16).padStart(2, "0")}`, addresses: [`10.80.0.${last}/16`], gateways: ["10.80.0.1"] });

export default {
  sandbox: { hosts: 2, workloads: [server("web1", "node1", 11), server("web2", "node2", 12), server("db1", "node2", 21)] },

  async prepare(sandbox): Promise<void> {
    // The sandbox's tunnels to the other zone: who runs ovn-ic or ovn-kubernetes has them.
    for (const [zone, chassis, address] of [["node1", "node2", "198.18.0.2"], ["node2", "node1", "198.18.0.1"]] as const) {
      await sandbox.exec(zone, ["ovn-sbctl", "chassis-add", chassis, "geneve", address, "--", "set", "Chassis", chassis, "other_config:is-remote=true"]);
    }
    // The virtual address is in the subnet, but belongs to no port: it is reached by the gateway's MAC.
    await sandbox.exec("db1", ["ip", "route", "add", "10.80.255.1", "via", "10.80.0.1"]);
  },

  prove: ({ sandbox }): Promise<Check[]> =>
    serving(sandbox, "db1", 5432, () => serving(sandbox, "db1", 5433, () => serving(sandbox, "web1", 80, () => serving(sandbox, "web2", 80, async () => [
      await connects(sandbox, "a web server reaches the database", "web1", "10.80.0.21", 5432, ["db1"]),
      await blocked(sandbox, "and no other port of it", "web1", "10.80.0.21", 5433),
      await pingable(sandbox, "web servers answer pings", "db1", "10.80.0.11"),
      await connects(sandbox, "the load balancer's address", "db1", "10.80.255.1", 80, ["web1", "web2"]),
    ])))),
} satisfies Scenario;
