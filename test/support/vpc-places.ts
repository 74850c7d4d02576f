import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { VpcArgs, VpcWorkloadArgs } from "@pulumi-ovn/provider";
import type { Sandbox, Workload } from "@pulumi-ovn/sandbox";

/** Tiers, by name, with the number that is in their addresses and keys. */
export const TIERS = { web: 1, app: 2, db: 3 } as const;
export type Tier = keyof typeof TIERS;
export const tierNames = Object.keys(TIERS) as Tier[];

export const HOSTS = ["node1", "node2", "node3", "node4"] as const;

const hex = (n: number) => n.toString(16).padStart(2, "0");

/** The workload of a tier on a host: one for each. */
export function place(tier: Tier, host: string): { readonly name: string; readonly mac: string; readonly addresses: readonly [string, string] } {
  const [t, h] = [TIERS[tier], Number(host.slice(4))];
  return { name: `${tier}${h}`, mac: `0a:00:0a:01:${hex(t)}:${hex(10 + h)}`, addresses: [`10.1.${t}.${10 + h}`, `fd01:${t}::${10 + h}`] };
}

export const places = tierNames.flatMap((tier) => HOSTS.map((host) => ({ tier, host, ...place(tier, host) })));

const gateways = (tier: Tier): [string, string] => [`10.1.${TIERS[tier]}.1`, `fd01:${TIERS[tier]}::1`];
const gatewayMac = (tier: Tier): string => `0a:58:0a:01:${hex(TIERS[tier])}:01`;

/** As the sandbox makes them: on no bridge. */
export const workloads: Workload[] = places.map(({ name, host, tier, mac, addresses: [v4, v6] }) => ({
  name,
  host,
  mac,
  addresses: [`${v4}/24`, `${v6}/64`],
  gateways: gateways(tier),
}));

/** The VPC over all of them; its virtual router is on node4. Without BFD: on a busy machine sessions end that the test has not cut. */
export const vpcArgs = (change: Partial<VpcArgs> = {}): VpcArgs => ({
  name: "blue",
  hosts: Object.fromEntries(HOSTS.map((host, index) => [host, { tunnelAddress: `198.18.0.${index + 1}` }])),
  tiers: Object.fromEntries(
    tierNames.map((tier) => [
      tier,
      { cidrs: [`10.1.${TIERS[tier]}.0/24`, `fd01:${TIERS[tier]}::/64`], gateways: gateways(tier), key: 1000 + TIERS[tier], acl: "default_allow" },
    ]),
  ),
  workloads: Object.fromEntries(
    places.map(({ name, tier, host, mac, addresses }): [string, VpcWorkloadArgs] => [name, { tier, host, mac, addresses: [...addresses], port: name }]),
  ),
  virtualRouter: { host: "node4", ports: Object.fromEntries(tierNames.map((tier) => [tier, `vr-${tier}`])) },
  datapathType: "netdev",
  bfd: false,
  ...change,
});

/** The virtual router: a namespace of a host with an interface in each tier, that forwards. On another host it is the same, after a move. */
export async function virtualRouter(sandbox: Sandbox, host = "node4", name = "vr"): Promise<void> {
  await sandbox.addWorkload(host, { name });
  const pid = (await readFile(join(sandbox.folder, name, "pid"), "utf8")).trim();
  await script(
    sandbox,
    host,
    tierNames.map((tier) => `ip link add vr-${tier} type veth peer name ${tier} netns ${pid}\nip link set vr-${tier} addrgenmode none up`),
  );
  await script(sandbox, name, [
    "echo 1 > /proc/sys/net/ipv4/ip_forward",
    "echo 1 > /proc/sys/net/ipv6/conf/all/forwarding",
    // A packet that returns to the tier that it came from must not cause an ICMP redirect.
    // A router asks for neighbours from its link-local address (RFC 4861, 7.2.2), which the interface makes.
    ...tierNames.flatMap((tier) => [
      `echo 0 > /proc/sys/net/ipv4/conf/${tier}/send_redirects`,
      `ip link set ${tier} address ${gatewayMac(tier)}`,
      `ip link set ${tier} up`,
      `ip address add ${gateways(tier)[0]}/24 dev ${tier}`,
      `ip address add ${gateways(tier)[1]}/64 dev ${tier} nodad`,
      `ethtool -K ${tier} tx off > /dev/null`,
    ]),
  ]);
}

/**
 * A hypervisor's part of a move: adds the virtual router's interfaces to the tiers' bridges of a host, or removes them. All interfaces
 * change in one transaction, because a router with only some of them loses packets.
 */
export const attachRouter = (sandbox: Sandbox, host: string) =>
  script(sandbox, host, [`ovs-vsctl ${tierNames.map((tier) => `add-port br-t${1000 + TIERS[tier]} vr-${tier}`).join(" -- ")}`]);
export const detachRouter = (sandbox: Sandbox, host: string) =>
  script(sandbox, host, [`ovs-vsctl ${tierNames.map((tier) => `del-port vr-${tier}`).join(" -- ")}`]);

/** Sends a broadcast from the MAC of a moved machine in every tier, like a hypervisor after a move. Does not wait for an answer. */
export const announce = (sandbox: Sandbox, name: string) =>
  script(
    sandbox,
    name,
    tierNames.map((tier) => `ping -n -q -c1 -W1 10.1.${TIERS[tier]}.200 > /dev/null 2>&1 &`),
  );

export async function script(sandbox: Sandbox, where: string, lines: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(where, ["sh", "-e", "-s"], { input: lines.join("\n"), timeout: 60_000 });
  if (code !== 0) throw new Error(`on ${where}: ${stderr}`);
  return stdout.trim();
}

/** Pings every workload from every workload of another tier, in parallel, over IPv4 and IPv6. Returns unanswered pings: `web1 > 10.1.2.11`. */
export async function unreached(sandbox: Sandbox, chosen: (from: string, to: string) => boolean = () => true): Promise<string[]> {
  const all = await Promise.all(
    places.map(async ({ name, tier }) => {
      const targets = places.filter((other) => other.tier !== tier && chosen(name, other.name)).flatMap(({ addresses }) => addresses);
      const lost = await script(sandbox, name, [
        ...targets.map((address) => `(ping -n -q -c2 -i0.2 -W5 ${address} > /dev/null || ping -n -q -c1 -W10 ${address} > /dev/null || echo ${address}) &`),
        "wait",
      ]);
      return lost
        .split("\n")
        .filter(Boolean)
        .map((address) => `${name} > ${address}`);
    }),
  );
  return all.flat().sort();
}
