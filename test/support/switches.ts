import { once } from "node:events";
import { rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { Connections, type Host, targetsOf } from "@pulumi-ovn/provider/targets";
import type { Properties } from "@pulumi-ovn/provider/tools";
import { type Running, type Sandbox, up, type UpOptions } from "@pulumi-ovn/sandbox";
import { runFolder } from "./sandbox-runs";
import { Handled } from "./handled";

/** Hosts with only Open vSwitch for the tests of a file. */
export class Switches {
  #sandbox: Sandbox | undefined;
  readonly #connections: Connections[] = [];

  /** To be called at the top of a file. */
  static of(options: Omit<UpOptions, "ovn">): Switches {
    const folder = runFolder();
    process.env["PULUMI_OVN_RUN"] = folder;
    const switches = new Switches();
    beforeAll(async () => (switches.#sandbox = await up({ ...options, ovn: false })), 120_000);
    afterAll(async () => {
      await Promise.all(switches.#connections.map((connections) => connections.close()));
      await switches.#sandbox?.down();
      rmSync(folder, { recursive: true, force: true });
    });
    return switches;
  }

  get sandbox(): Sandbox {
    return this.#sandbox!;
  }

  /** As a stack's targets, with further hosts. */
  targets(hosts: Readonly<Record<string, Host>> = {}): Connections {
    const connections = new Connections({}, { ...targetsOf(this.sandbox.targets, "the sandbox").hosts, ...hosts });
    this.#connections.push(connections);
    return connections;
  }

  /** Runs a program on a host; it has to succeed. */
  async on(host: string, ...argv: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.sandbox.exec(host, argv, { timeout: 30_000 });
    if (code !== 0) throw new Error(`${argv.join(" ")} on ${host}: ${stderr}`);
    return stdout;
  }

  /** Makes a bridge with ports that need no device, in the userspace datapath. */
  async bridge(host: string, name: string, ...ports: string[]): Promise<void> {
    const add = ports.flatMap((port) => ["--", "add-port", name, port, "--", "set", "Interface", port, "type=internal"]);
    await this.on(host, "ovs-vsctl", "--timeout=10", "add-br", name, "--", "set", "Bridge", name, "datapath_type=netdev", "fail_mode=secure", ...add);
  }

  /** All flows of a bridge as ovs-ofctl prints them, sorted. Flows that OpenFlow 1.0 has made show a flag that it implies. */
  async flows(host: string, bridge: string): Promise<string[]> {
    const text = await this.on(host, "ovs-ofctl", "-O", "OpenFlow14", "--no-stats", "--names", "dump-flows", bridge);
    return text
      .split("\n")
      .map((line) => line.trim().replace("reset_counts ", ""))
      .filter(Boolean)
      .sort();
  }
}

/** A resource of a kind of flows, in the ways in which Pulumi treats one. */
export class FlowStack {
  readonly #handled = new Handled("BridgeFlows");
  /** State of the resource. */
  state: { readonly inputs: Properties; readonly outs: Properties } | undefined;

  constructor(
    private readonly switches: Switches,
    readonly owner: string,
    private readonly host = "node1",
    private readonly hosts: Readonly<Record<string, Host>> = {},
  ) {}

  /** The cookie that a preview shows. */
  async cookie(): Promise<string> {
    return (await this.check({ b: ["actions=drop"] })).cookie as string;
  }

  /** Checked inputs, as a preview has them. */
  async check(flows: Readonly<Record<string, readonly string[]>>): Promise<Properties> {
    const news = { host: this.host, bridges: Object.entries(flows).map(([bridge, list]) => ({ bridge, flows: list })), owner: this.owner };
    const { inputs, failures } = await this.#handled.check(this.state?.inputs ?? {}, news, this.#targets);
    if (failures.length > 0) throw new Error(failures.map(({ path, code, message }) => `${path}: ${message} [${code}]`).join("; "));
    return inputs;
  }

  /** `pulumi up`; what it did. */
  async up(flows: Readonly<Record<string, readonly string[]>>): Promise<"create" | "update" | "same"> {
    const inputs = await this.check(flows);
    if (this.state === undefined) {
      this.state = { inputs, outs: (await this.#handled.create(inputs, this.#targets)).outs };
      return "create";
    }
    if (!this.#handled.diff(this.state.outs, inputs).changes) return "same";
    this.state = { inputs, outs: (await this.#handled.update(this.state.outs, inputs, this.#targets)).outs };
    return "update";
  }

  /** Runs `pulumi refresh`: returns named drift and shown lines; undefined if the resource was deleted. */
  async refresh(): Promise<{ readonly drift: unknown; readonly rows: unknown } | undefined> {
    const found = await this.#handled.read(this.state!.outs, this.#targets);
    this.state = found && { inputs: { ...found.inputs, owner: this.owner }, outs: found.props };
    return found && { drift: found.props.drift, rows: found.inputs!.rows };
  }

  async destroy(): Promise<void> {
    await this.#handled.delete(this.state!.outs, this.#targets);
    this.state = undefined;
  }

  get #targets(): Connections {
    return this.switches.targets(this.hosts);
  }
}

/** Changes to the flows of a bridge, as the switch reports them. */
export class FlowChanges implements AsyncDisposable {
  #mark = 0;

  private constructor(
    private readonly sandbox: Sandbox,
    private readonly host: string,
    private readonly bridge: string,
    private readonly running: Running,
    private readonly lines: AsyncIterator<string>,
  ) {}

  static async of(sandbox: Sandbox, host: string, bridge: string): Promise<FlowChanges> {
    const running = await sandbox.spawn(host, ["ovs-ofctl", "monitor", bridge, "watch:!initial"], ["ignore", "pipe", "pipe"]);
    const lines = createInterface(running.process.stderr!)[Symbol.asyncIterator]();
    // The switch has answered the request. From here on ovs-ofctl reports changes on standard error.
    await once(running.process.stdout!, "data");
    return new FlowChanges(sandbox, host, bridge, running, lines);
  }

  /** The changes since the last call: a flow of this helper's own comes after them. */
  async soFar(): Promise<string[]> {
    const mark = `table=250 cookie=0x${(++this.#mark).toString(16)}`;
    await this.sandbox.exec(this.host, ["ovs-ofctl", "add-flow", this.bridge, `${mark} actions=drop`]);
    const seen: string[] = [];
    for (;;) {
      const { done, value } = await this.lines.next();
      if (done) throw new Error("the monitor of flows has ended");
      if (value.includes(mark)) break;
      if (value.includes("event=")) seen.push(value.trim());
    }
    await this.sandbox.exec(this.host, ["ovs-ofctl", "del-flows", this.bridge, "table=250"]);
    return seen;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.running.signal("SIGKILL");
    await this.running.exit;
  }
}
