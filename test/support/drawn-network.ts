import type { PicturedResource } from "@pulumi-ovn/cli/testing";

interface DrawnNode {
  readonly addresses?: readonly string[];
  readonly topology?: "gateway" | "transit";
}

interface DrawnWorkload {
  readonly zone: string;
  readonly addresses: readonly string[];
}

/** Resources of one layer-2 network as a state has them, without what pictures do not read. */
export function drawnNetwork(
  name: string,
  nodes: Readonly<Record<string, DrawnNode>>,
  workloads: Readonly<Record<string, DrawnWorkload>> = {},
): PicturedResource[] {
  const resource = (kind: string, label: string, inputs: object): PicturedResource => {
    const type = `pulumi-nodejs:dynamic/ovn:${kind}`;
    return { urn: `urn:pulumi:dev::net::${type}::${label}`, type, inputs: inputs as Record<string, unknown> };
  };
  const members = `nodes of ${name}-members`;
  const list = resource("NetworkMembers", `${name}-members`, { nodes, workloads, lists: { nodes: members, workloads: `workloads of ${name}-members` } });
  return [
    list,
    ...Object.entries(nodes).flatMap(([node, { addresses = [`192.0.2.${node.length}/24`] }]) => [
      resource("Layer2Switch", `${name}-switch-${node}`, {
        zone: node,
        name: `${name}_ovn_layer2_switch`,
        tunnelKey: 16_715_779,
        subnets: ["10.0.0.0/16"],
        uuid: `${name} switch ${node}`,
      }),
      resource("GatewayRouter", `${name}-gateway-${node}`, {
        zone: node,
        name: `GR_${name}_${node}`,
        chassis: node,
        external: { addresses, nextHops: ["192.0.2.1"], networkName: "physnet" },
        snatSubnets: ["10.0.0.0/16"],
        uuid: `${name} router ${node}`,
      }),
      resource("Layer2Gateway", `${name}-topology-${node}`, {
        zone: node,
        node,
        network: name,
        switch: `${name} switch ${node}`,
        gatewayRouter: `${name} router ${node}`,
        gateway: { addresses: ["10.0.0.1/16"] },
        transitSubnets: ["100.88.0.0/16"],
        mtu: 1400,
        members,
      }),
      resource("WorkloadPorts", `${name}-workloads-${node}`, { zone: node, switch: `${name} switch ${node}`, members: `workloads of ${name}-members` }),
    ]),
  ];
}
