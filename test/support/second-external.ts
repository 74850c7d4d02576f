import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import { runScript } from "./run-script";

/** A second network outside, and what is behind its router. */
export const STORAGE = {
  name: "storage",
  router: ["10.50.0.1", "fd50::1"] as const,
  behind: ["10.60.0.1", "fd60::1"] as const,
  routes: { disks: { prefix: "10.60.0.0/16", nextHops: ["10.50.0.1"] }, disks6: { prefix: "fd60::/64", nextHops: ["fd50::1"] } },
};

/** The gateway router's addresses on host number `index`. */
export const storageAddresses = (index: number): string[] => [`10.50.0.${10 + index}/24`, `fd50::${(10 + index).toString(16)}/64`];

/** Joins all hosts, each by a bridge of its own, and the upstream router to a second network outside. */
export async function addStorageNetwork(sandbox: Sandbox): Promise<void> {
  const pid = async (place: string) => (await readFile(join(sandbox.folder, place, "pid"), "utf8")).trim();
  const cable = async (place: string, inside: string) => {
    const outside = `st-${place}`;
    return `ip link add ${outside} type veth peer name ${inside} netns ${await pid(place)}\nip link set ${outside} master storage up`;
  };
  const cables = await Promise.all([cable("ext", "eth1"), ...sandbox.hosts.map(({ name }) => cable(name, "st0"))]);
  const { code, stderr } = await sandbox.script(["set -e", "ip link add storage type bridge mcast_snooping 0", "ip link set storage up", ...cables].join("\n"));
  if (code !== 0) throw new Error(stderr);
  await runScript(
    sandbox,
    "ext",
    `
    echo 0 > /proc/sys/net/ipv6/conf/eth1/accept_dad
    ip address add ${STORAGE.router[0]}/24 dev eth1
    ip address add ${STORAGE.behind[0]}/32 dev lo
    ip link set eth1 up
    ip address add ${STORAGE.router[1]}/64 dev eth1
    ip address add ${STORAGE.behind[1]}/128 dev lo
    ethtool -K eth1 tx off > /dev/null`,
  );
  for (const { name } of sandbox.hosts) {
    await runScript(
      sandbox,
      name,
      `
      echo 1 > /proc/sys/net/ipv6/conf/st0/disable_ipv6
      ip link set st0 up
      ovs-vsctl --timeout=20 add-br br-st -- set Bridge br-st datapath_type=netdev -- add-port br-st st0 \
        -- set Open_vSwitch . external_ids:ovn-bridge-mappings=physnet:br-ex,storage:br-st`,
    );
  }
}
