import { join } from "node:path";
import { createInterface } from "node:readline";
import { isDeepStrictEqual } from "node:util";
import type { Health } from "@pulumi-ovn/agent";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { fabricLink, leafNames, projectRoot, until } from "@pulumi-ovn/sandbox/testing";
import { bySocket, SHOW_TABLES, tablesIn } from "./bgp-tables";
import { runScript } from "./run-script";

/** Milliseconds in which something has to come about that an event leads to, however busy the machine is. */
export const PATIENCE = 60_000;

const HEALTH = 'fetch("http://127.0.0.1:9475/healthz").then((answer) => answer.text()).then(console.log, () => {})';

/** The agent as the command that users start. */
export const agentCommand = (openvswitch: string): string[] => [
  process.execPath,
  join(projectRoot, "sdk/bin/pulumi-ovn.js"),
  "agent",
  "--openvswitch",
  openvswitch,
];

/** Prefixes, in one order, by the host that announces them. */
export type Announced = Readonly<Record<string, readonly string[]>>;

/** Waits until something is as it should be, with the sandbox's own patience; fails by what it is then. */
export async function becomes<T>(what: string, read: () => Promise<T>, wanted: T, patience = PATIENCE, pause?: number): Promise<void> {
  let found: T | undefined;
  const look = async () => isDeepStrictEqual((found = await read()), wanted);
  await until(what, patience, look, pause).catch((error: unknown) => {
    if ((error as { code?: unknown }).code === "timeout") expect([what, found]).toEqual([what, wanted]);
    throw error;
  });
}

/** The part of a sandbox that shows the state of its namespaces. */
export type Places = Pick<Sandbox, "exec" | "hosts">;

/** Announcements in a fabric, as seen by its leaves and by packets. */
export class FabricView {
  /** @param patience milliseconds in which something has to come about, looked for after each `pause` */
  constructor(
    readonly sandbox: Places,
    private readonly patience = PATIENCE,
    private readonly pause?: number,
  ) {}

  run(namespace: string, script: string): Promise<string> {
    return runScript(this.sandbox, namespace, script, PATIENCE);
  }

  /** Prefixes of each host on a leaf. */
  async known(leaf: (typeof leafNames)[number]): Promise<Announced> {
    const hosts = new Map(this.sandbox.hosts.flatMap(({ name }, index) => fabricLink(leaf, index + 1).other.map((cidr) => [cidr.split("/")[0]!, name])));
    const found = tablesIn(await this.run(leaf, SHOW_TABLES)).flatMap((table) =>
      Object.entries(table).flatMap(([prefix, paths]) => paths.flatMap(({ peerId }) => (hosts.has(peerId) ? [[hosts.get(peerId)!, prefix] as const] : []))),
    );
    return Object.fromEntries(
      this.sandbox.hosts.map(({ name }) => [
        name,
        found
          .filter(([host]) => host === name)
          .map(([, prefix]) => prefix)
          .sort(),
      ]),
    );
  }

  /** Waits until both leaves have exactly these prefixes from these hosts. */
  async announced(what: string, wanted: Announced): Promise<void> {
    const all = Object.fromEntries(this.sandbox.hosts.map(({ name }) => [name, [...(wanted[name] ?? [])].sort()]));
    for (const leaf of leafNames) await becomes(`${what}: routes of ${leaf}`, () => this.known(leaf), all, this.patience, this.pause);
  }

  /** Waits until the agents have these problems (code and subject), all of them or by host, and want these prefixes. */
  async healthy(wanted: Announced, problems: readonly string[] | { readonly of: Announced } = []): Promise<void> {
    for (const { name } of this.sandbox.hosts) {
      const health = async () => {
        const { problems: found, announced } = JSON.parse(
          (await this.sandbox.exec(name, [process.execPath, "-e", HEALTH], { timeout: PATIENCE })).stdout || "{}",
        ) as Partial<Health>;
        return { problems: found?.map(({ code, subject }) => `${code} ${subject}`), announced };
      };
      await becomes(
        `health of ${name}`,
        health,
        { problems: [...("of" in problems ? (problems.of[name] ?? []) : problems)], announced: [...(wanted[name] ?? [])].sort() },
        this.patience,
        this.pause,
      );
    }
  }

  /** Pings are answered, each within its time. */
  async reaches(from: string, ...addresses: string[]): Promise<void> {
    await Promise.all(addresses.map((address) => until(`${from} to ${address}`, this.patience, async () => (await this.#ping(from, address)) === 0)));
  }

  /** Checks that a ping has no answer, for addresses that were announced before. */
  async unreachable(from: string, ...addresses: string[]): Promise<void> {
    expect(await Promise.all(addresses.map(async (address) => [address, (await this.#ping(from, address)) === 0]))).toEqual(
      addresses.map((address) => [address, false]),
    );
  }

  /** Everything on a host by which the agent leads packets to OVN, and has them announced. */
  async held(host: string): Promise<string> {
    const text = await this.run(
      host,
      `for family in -4 -6; do
      ip $family route show table 1200 2> /dev/null || true
      ip $family rule show | grep 'lookup 1200' || true
      ip $family neighbour show nud permanent dev br-ex
      ip $family neighbour show proxy dev br-ex
    done
    ip -o -4 address show dev br-ex to 169.254.0.0/16
    ip -o -6 address show dev br-ex to fd53:d91e:400:7f17::/64
    ovs-vsctl list-ports br-ex | grep ^bgp || true
    ovs-ofctl --no-stats dump-flows br-ex | grep 'priority=9[01]0' || true
    ${bySocket("show running-config")} | grep -e redistribute -e route-map || true`,
    );
    return text.split("\n").sort().join("\n");
  }

  async #ping(from: string, address: string): Promise<number> {
    return (await this.sandbox.exec(from, ["ping", "-n", "-q", "-c1", "-W1", address], { timeout: PATIENCE })).code;
  }
}

/** A sandbox with a fabric, whose hosts run the BGP agent as the command that users start. */
export class BgpFabric extends FabricView {
  readonly #agents = new Map<string, Running>();
  /** Standard error of the agents, by host. */
  readonly lines = new Map<string, string[]>();

  constructor(override readonly sandbox: Sandbox) {
    super(sandbox);
  }

  /** Starts the agent of a host; it has the host's lock when this returns. */
  async start(host: string): Promise<void> {
    const running = await this.sandbox.spawn(host, this.#command(host), ["ignore", "ignore", "pipe"]);
    const lines: string[] = [];
    this.#agents.set(host, running);
    this.lines.set(host, lines);
    createInterface(running.process.stderr!).on("line", (line) => lines.push(line));
    await becomes(`the agent of ${host}`, async () => (lines.some((line) => line.startsWith("started: ")) ? "started" : lines.join("; ")), "started");
  }

  /** Ends the agent of a host; its exit code. */
  async end(host: string, signal: "SIGTERM" | "SIGKILL"): Promise<number> {
    const running = this.#agents.get(host)!;
    this.#agents.delete(host);
    running.signal(signal);
    return running.exit;
  }

  /** Runs the agent's command to its end, which is not that of the one that is running. */
  once(host: string, ...args: string[]) {
    return this.sandbox.exec(host, [...this.#command(host), ...args], { timeout: PATIENCE });
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#agents.keys()].map((host) => this.end(host, "SIGKILL")));
  }

  #command(host: string): string[] {
    const { openvswitch } = this.sandbox.endpoints(this.sandbox.hosts.find(({ name }) => name === host)!);
    return agentCommand(openvswitch);
  }
}
