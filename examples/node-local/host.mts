import type { Sandbox } from "@pulumi-ovn/sandbox";

export interface LocalHost {
  /** The host's own port in the network. */
  readonly management: { readonly port: string; readonly mac: string; readonly addresses: readonly string[]; readonly gateways: readonly string[] };
  /** Addresses of the port, from NodeLocalBridge. */
  readonly local: { readonly addresses: readonly string[] };
  /** Service addresses, which go into the network. */
  readonly services: readonly string[];
}

/** Does the work of the host's own network configuration: see docs/how-to/node-local.md. */
export async function prepareHost(sandbox: Sandbox, host: string, { management, local, services }: LocalHost): Promise<void> {
  const source = (family: string) => management.addresses.find((address) => address.includes(":") === family.includes(":"))!.split("/")[0];
  const script = [
    "set -e",
    `ovs-vsctl --may-exist add-port br-int ovn-k8s-mp0 -- set Interface ovn-k8s-mp0 type=internal mac='"${management.mac}"' external_ids:iface-id=${management.port}`,
    "for port in ovn-k8s-mp0 ovn-k8s-gw0; do",
    "  until [ -e /sys/class/net/$port ] || [ -e /proc/sys/net/ipv4/conf/$port ]; do sleep 0.05; done",
    "  ethtool -K $port tx off > /dev/null",
    "  echo 0 > /proc/sys/net/ipv4/conf/$port/rp_filter",
    "  ip link set $port up",
    "done",
    "echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter",
    ...management.addresses.map((address) => `ip address replace ${address} dev ovn-k8s-mp0 ${address.includes(":") ? "nodad" : ""}`),
    ...local.addresses.map((address) => `ip address replace ${address} dev ovn-k8s-gw0 ${address.includes(":") ? "nodad" : ""}`),
    ...services.map((service, index) => `ip route replace ${service} via ${management.gateways[index]} dev ovn-k8s-mp0 src ${source(service)}`),
  ].join("\n");
  const { code, stderr } = await sandbox.exec(host, ["sh", "-s"], { input: script, timeout: 20_000 });
  if (code !== 0) throw new Error(`preparing ${host}: ${stderr}`);
}
