import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import type { Flow } from "./flow";

/**
 * A workload as a live migration sees it: its machine continues, with its connections, and from one moment to the next it is
 * on another host. The namespace keeps its namespace; a bridge in it has the guest's addresses, and its port is the
 * cable to the host that the guest runs on.
 */
export class Guest {
  #here: string;

  private constructor(
    private readonly sandbox: Sandbox,
    private readonly name: string,
    host: string,
  ) {
    this.#here = host;
  }

  /** Gives a workload cables to further hosts. */
  static async of(sandbox: Sandbox, name: string, others: readonly string[]): Promise<Guest> {
    const { host, mac = "", addresses = [], gateways = [] } = sandbox.workloads.find((workload) => workload.name === name)!;
    const pid = (await readFile(join(sandbox.folder, name, "pid"), "utf8")).trim();
    for (const other of others) {
      const end = `${name}-${other}`;
      await shell(sandbox, other, [
        `ip link add ${end} type veth peer name ${other} netns ${pid}`,
        `ip link set ${end} addrgenmode none up`,
        `ovs-vsctl --timeout=10 add-port br-int ${end} -- set Interface ${end} external_ids:iface-id=${name}`,
      ]);
    }
    await shell(sandbox, name, [
      `ip link set eth0 down`,
      `ip link set eth0 name ${host}`,
      "ip link add eth0 type bridge forward_delay 0 mcast_snooping 0",
      `ip link set eth0 address ${mac}`,
      // A bridge without a port has no carrier, and Linux then forgets its neighbours: no guest does that while it moves.
      "ip link add spare type veth peer name loose",
      "ip link set loose addrgenmode none up",
      "ip link set spare addrgenmode none master eth0 up",
      `ip address flush dev ${host}`,
      // Linux would have the cable's MAC be the bridge's own.
      ...[host, ...others].flatMap((cable) => [
        `ip link set ${cable} addrgenmode none`,
        `ip link set ${cable} address 02:00:00:00:00:0${[host, ...others].indexOf(cable) + 1}`,
        `ethtool -K ${cable} tx off > /dev/null`,
        `ip link set ${cable} up`,
      ]),
      `ip link set ${host} master eth0`,
      "ip link set eth0 up",
      ...addresses.map((address) => `ip address add ${address} dev eth0${address.includes(":") ? " nodad" : ""}`),
      ...gateways.map((gateway) => `ip route replace default via ${gateway}`),
      "ethtool -K eth0 tx off > /dev/null",
    ]);
    return new Guest(sandbox, name, host);
  }

  /** The moment of a live migration in which the guest stops here and runs there. */
  async switchTo(host: string): Promise<void> {
    await shell(this.sandbox, this.name, ["ip -batch - <<END", `link set ${this.#here} nomaster`, `link set ${host} master eth0`, "END"]);
    this.#here = host;
  }
}

async function shell(sandbox: Sandbox, place: string, lines: readonly string[]): Promise<void> {
  const { code, stderr } = await sandbox.exec(place, ["sh", "-e", "-s"], { input: lines.join("\n"), timeout: 30_000 });
  if (code !== 0) throw new Error(`on ${place}: ${stderr}`);
}

/** Flows that end at `vm1`: from workloads, and from outside through nodes' gateway routers; over any of the hosts, because it moves. */
export const flowsToGuest = (from: readonly string[], nodes: readonly number[], over: readonly string[]): Flow[] => [
  ...from.flatMap((place): Flow[] => [
    { name: `${place} to vm1 udp`, kind: "east-west", protocol: "udp", from: place, to: "203.203.0.17", over },
    { name: `${place} to vm1 tcp`, kind: "east-west", protocol: "tcp", from: place, to: "203.203.0.17", over },
    { name: `${place} to vm1 v6 udp`, kind: "east-west", protocol: "udp", from: place, to: "2010:100:200::11", over },
  ]),
  ...nodes.flatMap((n) =>
    (["udp", "tcp"] as const).map(
      (protocol): Flow => ({
        name: `service of node${n} to vm1 ${protocol}`,
        kind: "service",
        protocol,
        from: "ext",
        to: `172.18.0.${10 + n}`,
        port: 9_001,
        over,
      }),
    ),
  ),
  { name: "vm1 out udp", kind: "out", protocol: "udp", from: "vm1", to: "192.0.2.1", over },
];
