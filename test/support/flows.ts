import { once } from "node:events";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { beyondControl } from "./excess";
import type { Flow, Stage } from "./flow";
import type { Received, Sample, Task } from "./flow-sender";
import { PingReader } from "./ping-reader";

/** Result of a flow in one stage. */
export interface Measured {
  readonly flow: Flow;
  readonly sent: number;
  /** Probes without an answer; of TCP always 0, as it sends again. */
  readonly lost: number;
  /** Milliseconds: the longest time without an answered probe beyond the probes' own interval; of TCP the longest wait for an echo. */
  readonly gap: number;
  /** Why a TCP connection ended. */
  readonly broken?: string;
}

export const ECHO_PORT = 7007;

/**
 * Milliseconds between two probes of UDP and ICMP; a TCP record comes each second time. Seventy flows with twice as many keep
 * a processor busy, with the sandbox's switches, and what is busy loses packets.
 */
const INTERVAL = 20;

/** Probes between namespaces, with marks for the stages that they live through. */
export class Flows implements AsyncDisposable {
  readonly #stages: Stage[] = [];

  private constructor(
    private readonly flows: readonly Flow[],
    private readonly senders: readonly Sender[],
    private readonly pings: readonly Ping[],
    private readonly interval: number,
  ) {}

  /** Starts echo servers in all namespaces that flows go to or come from, and then the probes. */
  static async start(sandbox: Sandbox, flows: readonly Flow[], interval = INTERVAL): Promise<Flows> {
    // ping needs no sender, at neither end.
    const namespaces = flows.every(({ protocol }) => protocol === "icmp")
      ? []
      : sandbox.namespaces.filter((name) => !sandbox.hosts.some((host) => host.name === name));
    const senders = await Promise.all(
      namespaces.map((namespace) =>
        Sender.start(
          sandbox,
          namespace,
          flows.filter(({ from, protocol }) => from === namespace && protocol !== "icmp"),
          interval,
        ),
      ),
    );
    for (const sender of senders) sender.probe();
    const pings = await Promise.all(flows.filter(({ protocol }) => protocol === "icmp").map((flow) => Ping.start(sandbox, flow, interval)));
    return new Flows(flows, senders, pings, interval);
  }

  /** Everything that is sent while the work continues counts to this stage. */
  async stage(name: string, work: () => Promise<unknown>, { swap = false } = {}): Promise<void> {
    const from = Date.now();
    await work();
    this.#stages.push({ name, from, to: Date.now(), swap });
  }

  /** Runs work whose probes count to the last stage, too. */
  async extend(work: () => Promise<unknown>): Promise<void> {
    await work();
    this.#stages.push({ ...this.#stages.pop()!, to: Date.now() });
  }

  /** Ends the probes; what became of each flow in each stage. */
  async end(): Promise<Report> {
    const received = new Map<string, Received>();
    for (const part of await Promise.all([...this.senders, ...this.pings].map((source) => source.end()))) {
      for (const [name, value] of Object.entries(part)) received.set(name, value);
    }
    return new Report(
      this.#stages,
      this.flows.map((flow) => [flow, received.get(flow.name) ?? { samples: [] }]),
      this.interval,
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.senders, ...this.pings].map((source) => source.kill()));
  }
}

/** Sent, lost and the longest gap, by stage and flow. */
export class Report {
  constructor(
    readonly stages: readonly Stage[],
    private readonly received: readonly (readonly [Flow, Received])[],
    private readonly interval: number,
  ) {}

  measured(stage: string): Measured[] {
    const { from, to } = this.#stage(stage);
    return this.received.map(([flow, received]) => measure(flow, received, from, to, this.interval));
  }

  /** Flows that lost more in these stages than the machine explains, in words: beyond the control of the same run. */
  beyondControl(stages: readonly string[], chosen: (flow: Flow) => boolean = () => true): string[] {
    return beyondControl(
      this.received,
      this.stages,
      stages.map((name) => this.#stage(name)),
      chosen,
      this.interval,
    );
  }

  #stage(stage: string): Stage {
    return this.stages.find(({ name }) => name === stage)!;
  }

  /** A table for people, one line for each stage and kind of flow, the worst flow of each kind. */
  table(): string {
    const header = "| stage | kind | flows | sent | lost | longest gap, ms | in flow |\n|---|---|---|---|---|---|---|";
    const lines = this.stages.flatMap(({ name }) => {
      const all = this.measured(name);
      return [...new Set(all.map(({ flow }) => flow.kind))].map((kind) => {
        const own = all.filter(({ flow }) => flow.kind === kind);
        const worst = own.reduce((a, b) => (b.gap > a.gap ? b : a));
        const sum = (of: (measured: Measured) => number) => own.reduce((total, measured) => total + of(measured), 0);
        return `| ${name} | ${kind} | ${own.length} | ${sum(({ sent }) => sent)} | ${sum(({ lost }) => lost)} | ${Math.round(worst.gap)} | ${worst.gap > 0 ? worst.flow.name : ""} |`;
      });
    });
    return [header, ...lines].join("\n");
  }

  /** TCP connections that ended before their time. */
  broken(): string[] {
    return this.received.flatMap(([flow, { broken }]) => (broken === undefined ? [] : [`${flow.name}: ${broken}`]));
  }
}

/** Pure. A probe counts to the stage in which it was sent. */
export function measure(flow: Flow, { samples, broken }: Received, from: number, to: number, interval: number): Measured {
  const own = samples.filter(({ at }) => at >= from && at < to);
  const tcp = flow.protocol === "tcp";
  const gap = tcp ? Math.max(0, ...own.map(({ took }) => took ?? 0)) : longestGap(samples, from, to, interval);
  return { flow, sent: own.length, lost: tcp ? 0 : own.filter(({ took }) => took === undefined).length, gap, ...(broken !== undefined && { broken }) };
}

/** From the last answered probe before a run of lost ones to the first one after it, less one interval. 0 without loss. */
function longestGap(samples: readonly Sample[], from: number, to: number, interval: number): number {
  let longest = 0;
  let last: number | undefined;
  let lostInStage = false;
  for (const { at, took } of samples) {
    if (took === undefined) {
      lostInStage ||= at >= from && at < to;
      continue;
    }
    if (lostInStage) longest = Math.max(longest, at - (last ?? from) - interval);
    lostInStage = false;
    last = at;
  }
  return lostInStage ? Math.max(longest, to - (last ?? from)) : longest;
}

/** The probes of one namespace. */
class Sender {
  private constructor(
    private readonly running: Running,
    private readonly lines: AsyncIterator<string>,
    private readonly reader: Interface,
  ) {}

  static async start(sandbox: Sandbox, namespace: string, flows: readonly Flow[], interval: number): Promise<Sender> {
    const task: Task = {
      echo: ECHO_PORT,
      interval,
      flows: flows.map(({ name, protocol, to, port = ECHO_PORT }) => ({ name, protocol: protocol as "udp" | "tcp", to, port })),
    };
    const program = join(__dirname, "flow-sender.ts");
    const running = await sandbox.spawn(namespace, [process.execPath, "--no-warnings", program, JSON.stringify(task)], ["pipe", "pipe", "inherit"]);
    const reader = createInterface(running.process.stdout!);
    const lines = reader[Symbol.asyncIterator]();
    const first = await lines.next();
    if (first.value !== "ready") throw new Error(`the probes of ${namespace} did not start`);
    return new Sender(running, lines, reader);
  }

  probe(): void {
    this.running.process.stdin!.write("go\n");
  }

  async end(): Promise<Record<string, Received>> {
    this.running.process.stdin!.end();
    const { value } = await this.lines.next();
    await this.running.exit;
    return JSON.parse(value ?? "{}") as Record<string, Received>;
  }

  async kill(): Promise<void> {
    if (this.running.process.exitCode !== null) return;
    this.reader.close();
    this.running.signal("SIGKILL");
    await this.running.exit;
  }
}

/** An ICMP flow: ping(8) with timestamps. */
class Ping {
  readonly #reader: PingReader;
  readonly #read: Promise<unknown>;

  private constructor(
    private readonly running: Running,
    private readonly flow: Flow,
    interval: number,
  ) {
    this.#reader = new PingReader(Date.now(), interval);
    const lines = createInterface(running.process.stdout!).on("line", (line) => this.#reader.line(line));
    this.#read = once(lines, "close");
  }

  static async start(sandbox: Sandbox, flow: Flow, interval: number): Promise<Ping> {
    return new Ping(await sandbox.spawn(flow.from, ["ping", "-n", "-D", "-i", String(interval / 1000), flow.to]), flow, interval);
  }

  async end(): Promise<Record<string, Received>> {
    const ended = Date.now();
    this.running.signal("SIGINT");
    await Promise.all([this.running.exit, this.#read]);
    return { [this.flow.name]: { samples: this.#reader.end(ended) } };
  }

  async kill(): Promise<void> {
    if (this.running.process.exitCode !== null) return;
    this.running.signal("SIGKILL");
    await this.running.exit;
  }
}
