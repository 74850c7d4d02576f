import { type Check, pingable, type Scenario } from "@pulumi-ovn/sandbox";

export default {
  async prove({ sandbox }): Promise<Check[]> {
    // Workloads of `violet`, which has only IPv6, and node1's own port in `green`. Their MACs derive from their addresses.
    await sandbox.addWorkload("node1", { name: "six1", mac: "0a:58:58:f0:f1:4d", addresses: ["2010:100:300::11/64"] });
    await sandbox.addWorkload("node2", { name: "six2", mac: "0a:58:c5:1e:f5:73", addresses: ["2010:100:300::12/64"] });
    await sandbox.addWorkload("node1", { name: "host1", mac: "0a:58:cb:cb:00:02", addresses: ["203.203.0.2/16", "2010:100:200::2/60"], ifaceId: "k8s-green_node1" });
    return Promise.all([
      pingable(sandbox, "green, IPv4", "vm1", "203.203.0.18"),
      pingable(sandbox, "green, IPv6", "vm3", "2010:100:200::11"),
      pingable(sandbox, "green to outside", "vm2", "192.0.2.1"),
      pingable(sandbox, "violet", "six1", "2010:100:300::12"),
      // The default route is learned from a router advertisement.
      pingable(sandbox, "violet to outside", "six2", "2001:db8::1"),
      pingable(sandbox, "management port of green", "host1", "203.203.0.17"),
    ]);
  },
} satisfies Scenario;
