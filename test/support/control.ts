import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Layer2NetworkArgs } from "@pulumi-ovn/provider";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import type { Flow } from "./flow";
import { ECHO_PORT } from "./flows";
import { LiveNetwork, type LivePolicy } from "./live-network";

/** Addresses outside that only the control's flows go to: by the own node, and by another one. */
const OUTSIDE = ["192.0.2.9", "192.0.2.10"] as const;
const GATEWAY = "203.204.0.1";
const SERVICE_PORT = 9000;

/** Addresses of a member, of a zone's service, of a member's egress policy. */
const inside = (n: number) => `203.204.0.${16 + n}`;
const service = (zone: number) => `172.18.0.${40 + zone}`;
const egress = (n: number) => `172.18.0.${220 + n}`;

/** A workload's second interface, which is in the control network. */
interface Member {
  readonly n: number;
  readonly namespace: string;
  readonly host: string;
  readonly zone: string;
}

/**
 * A second network over the hosts, workloads and programs of a test, which nothing that the test changes can touch: what its
 * flows lose, the machine has lost. It has every kind of way that packets take in the measured network, and the same cadence.
 */
export class Control implements AsyncDisposable {
  private constructor(
    private readonly sandbox: Sandbox,
    private readonly network: LiveNetwork,
    private readonly members: readonly Member[],
    private readonly zones: readonly string[],
  ) {}

  static async over(sandbox: Sandbox): Promise<Control> {
    const members = sandbox.workloads.map(
      ({ name, host }, index): Member => ({ n: index + 1, namespace: name, host, zone: sandbox.hosts.find((other) => other.name === host)!.zone }),
    );
    const control = new Control(sandbox, new LiveNetwork(sandbox.zones, "control"), members, Object.keys(sandbox.zones));
    await Promise.all(members.map((member) => control.#interface(member)));
    await control.#run(
      "ext",
      OUTSIDE.map((address) => `ip address add ${address} dev lo`),
    );
    await control.network.write(control.#args(), control.#policies());
    await Promise.all(
      control.zones.map((zone) => control.#balancers(zone, ([name, ...rest]) => ["lb-add", name, ...rest, "--", "lr-lb-add", `GR_control_${zone}`, name])),
    );
    return control;
  }

  /** An external address. Every workload's packets to this address leave by another node, with a separate egress address there. */
  readonly elsewhere = OUTSIDE[1];

  /** From each workload to the next one, outside, outside by another node, and in by another node's service. */
  get flows(): Flow[] {
    return this.members.flatMap((member, index) => {
      const next = this.members[(index + 1) % this.members.length]!;
      const both = [member.host, member.zone, next.host, next.zone];
      const ways: Omit<Flow, "protocol" | "kind">[] = [
        { name: `${member.namespace} to ${next.namespace}`, from: member.namespace, to: inside(next.n), over: [member.host, next.host] },
        { name: `${member.namespace} out`, from: member.namespace, to: OUTSIDE[0], over: [member.host, member.zone] },
        {
          name: `${member.namespace} by ${this.#other(member.zone)}`,
          from: member.namespace,
          to: OUTSIDE[1],
          over: [member.host, member.zone, this.#other(member.zone)],
        },
        {
          name: `service of ${member.zone} to ${next.namespace}`,
          from: "ext",
          to: service(this.#number(member.zone)),
          port: SERVICE_PORT + next.n,
          over: both,
        },
      ];
      return ways.flatMap((way) =>
        (["udp", "tcp"] as const).map((protocol): Flow => ({ ...way, name: `control: ${way.name} ${protocol}`, kind: "control", protocol })),
      );
    });
  }

  /** The address that a workload's packets to `elsewhere` come from. */
  egressOf(workload: string): string {
    return egress(this.members.find(({ namespace }) => namespace === workload)!.n);
  }

  /** Removes the network; the contents of the namespaces are deleted with them. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.zones.map((zone) => this.#balancers(zone, ([name]) => ["lb-del", name])));
    await this.network.write(undefined);
    await this.network[Symbol.asyncDispose]();
  }

  #number(zone: string): number {
    return this.zones.indexOf(zone) + 1;
  }

  #other(zone: string): string {
    return this.zones[this.#number(zone) % this.zones.length]!;
  }

  /** Arguments that differ from the measured network in every address, key and name. The measured network writes the other zones' chassis. */
  #args(): Layer2NetworkArgs {
    const further = (zone: string) =>
      Object.fromEntries(this.sandbox.hosts.filter((host) => host.zone === zone && host.name !== zone).map(({ name }) => [name, {}]));
    return {
      name: "control",
      subnets: ["203.204.0.0/16"],
      joinSubnets: ["100.66.0.0/16"],
      transitSubnets: ["100.89.0.0/16"],
      tunnelKeys: { switch: 16_715_783, router: 16_715_784 },
      nodes: Object.fromEntries(
        this.zones.map((zone, index) => [
          zone,
          { id: index + 2, additionalChassis: further(zone), external: { addresses: [`${service(index + 1)}/24`], nextHops: ["172.18.0.1"] } },
        ]),
      ),
      workloads: Object.fromEntries(
        this.members.map(({ n, host, zone }) => [`control${n}`, { node: zone, chassis: host, mac: macOf(n), addresses: [inside(n)] }]),
      ),
    };
  }

  #policies(): LivePolicy[] {
    return this.members.map(({ n, zone }) => ({
      name: `control${n}`,
      workloads: [`control${n}`],
      addresses: { [egress(n)]: this.#other(zone) },
      keep: [OUTSIDE[0]],
    }));
  }

  async #interface({ n, namespace, host }: Member): Promise<void> {
    const pid = (await readFile(join(this.sandbox.folder, namespace, "pid"), "utf8")).trim();
    await this.#run(host, [
      `ip link add control${n} type veth peer name eth1 netns ${pid}`,
      `ip link set control${n} addrgenmode none up`,
      `ovs-vsctl --timeout=10 add-port br-int control${n} -- set Interface control${n} external_ids:iface-id=control${n}`,
    ]);
    await this.#run(namespace, [
      "ip link set eth1 addrgenmode none",
      `ip link set eth1 address ${macOf(n)} up`,
      `ip address add ${inside(n)}/16 dev eth1`,
      "ethtool -K eth1 tx off > /dev/null",
      ...OUTSIDE.map((address) => `ip route add ${address} via ${GATEWAY}`),
      // Answers to services go back by the interface that they came in by.
      `ip route add default via ${GATEWAY} table 9`,
      "ip rule add from 203.204.0.0/16 lookup 9",
    ]);
  }

  #balancers(zone: string, command: (balancer: readonly [name: string, ...string[]]) => string[]): Promise<void> {
    const all = this.members.flatMap(({ n }) =>
      ["udp", "tcp"].map(
        (protocol) => [`control-${protocol}-${n}`, `${service(this.#number(zone))}:${SERVICE_PORT + n}`, `${inside(n)}:${ECHO_PORT}`, protocol] as const,
      ),
    );
    return this.#run(zone, [["ovn-nbctl", "--timeout=20", ...all.flatMap((balancer) => ["--", ...command(balancer)])].join(" ")]);
  }

  async #run(namespace: string, lines: readonly string[]): Promise<void> {
    const { code, stderr } = await this.sandbox.exec(namespace, ["sh", "-e", "-s"], { input: lines.join("\n"), timeout: 30_000 });
    if (code !== 0) throw new Error(`control on ${namespace}: ${stderr}`);
  }
}

const macOf = (n: number) => `0a:58:cb:cc:00:1${n}`;
