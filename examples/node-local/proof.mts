import { type Check, connects, type Scenario, serving } from "@pulumi-ovn/sandbox";
import { prepareHost } from "./host.mts";

const NODES = ["node1", "node2", "node3"];
const OWN = { node1: ["172.18.0.111", "fc00:f853:ccd:e793::6f"], node2: ["172.18.0.112", "fc00:f853:ccd:e793::70"] } as const;
const VIPS = ["10.96.0.1", "fd10:96::1"] as const;

export default {
  async prove({ sandbox, example }): Promise<Check[]> {
    const { hosts } = (await example.outputs()) as { hosts: Record<string, { addresses: string[] }> };
    for (const node of NODES) {
      const management = { port: `k8s-blue_${node}`, mac: "0a:58:cb:cb:00:02", addresses: ["203.203.0.2/16", "2010:100:200::2/60"], gateways: ["203.203.0.1", "2010:100:200::1"] };
      await prepareHost(sandbox, node, { management, local: hosts[node]!, services: VIPS });
    }
    await sandbox.exec("node1", ["ovn-nbctl", "--wait=hv", "lb-add", "service", `${VIPS[0]}:443`, `${OWN.node1[0]}:8080`, "--", "ls-lb-add", "blue_ovn_layer2_switch", "service"]);
    const checks = await serving(sandbox, "node1", 8080, () => serving(sandbox, "node2", 8080, async () => [
      await connects(sandbox, "a workload reaches its own node", "vm1", OWN.node1[0], 8080, ["node1"]),
      await connects(sandbox, "by IPv6, too", "vm1", OWN.node1[1], 8080, ["node1"]),
      await connects(sandbox, "another node, by the wire", "vm1", OWN.node2[0], 8080, ["node2"]),
      await connects(sandbox, "a host its own service by a service address", "node1", VIPS[0], 443, ["node1"]),
    ]));
    await sandbox.exec("node1", ["ovn-nbctl", "lb-del", "service"]);
    return checks;
  },
} satisfies Scenario;
