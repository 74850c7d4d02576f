import { readFileSync } from "node:fs";
import { copyFile, mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { ApplyFacts } from "@pulumi-ovn/provider/targets";
import { type Sandbox, up } from "@pulumi-ovn/sandbox";
import { processTree, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { timersOf } from "./apply-stack";
import { difference, type Dump, NO_DIFFERENCE, parseDump } from "./dump";
import { blue, program } from "./network";
import { killAll } from "./processes";
import { SshHosts } from "./ssh-hosts";
import { until } from "./until";
import { finished, type Ran, Workspace } from "./workspace";

export const HOSTS = ["node1", "node2", "node3"] as const;
export type HostName = (typeof HOSTS)[number];
/** Addresses of the hosts in the stack's network. */
export const ADDRESSES = { node1: "203.203.0.21", node2: "203.203.0.22", node3: "203.203.0.23" };
export const CLI = [process.execPath, join(projectRoot, "sdk/bin/pulumi-ovn.js")];

/** A command of the operator. */
export interface OperatorCommand {
  readonly ended: Promise<Ran>;
  /** Standard output up to now. */
  printed(): string;
  /** Waits for a condition. Throws with the output if the command ends before. */
  until(check: () => boolean | Promise<boolean>): Promise<void>;
  /** Kills the command and the processes that it has started, as a power cut does. */
  kill(): Promise<void>;
}

interface Image {
  readonly rows: Dump;
  readonly flows: string;
  readonly state: readonly object[];
}

const mac = (host: string) => `0a:58:cb:cb:01:0${host.slice(-1)}`;

/**
 * A stack over three hosts. Its operator's machine is vm1, which reaches the hosts by ssh over the network that the stack makes.
 */
export class SshStack implements AsyncDisposable {
  private constructor(
    readonly sandbox: Sandbox,
    readonly workspace: Workspace,
    readonly hosts: SshHosts,
    /** Seconds until the undo that an update can't exceed, also on a slow machine. */
    readonly revertIn: number,
  ) {}

  static async start(name: string): Promise<SshStack> {
    const sandbox = await up({ name });
    await using undo = new AsyncDisposableStack();
    undo.defer(() => sandbox.down());
    const workspace = undo.use(await Workspace.create(SshStack.program(ADDRESSES), sandbox.zones));
    await on(sandbox, "node2", "ovs-vsctl add-br theirs -- set Bridge theirs datapath_type=netdev fail_mode=secure");
    await workspace.target(sandbox.zones, {}, sandbox.targets.hosts);
    const start = performance.now();
    await workspace.up();
    const revertIn = Math.max(12, Math.ceil((3 * (performance.now() - start)) / 1000));
    for (const host of HOSTS) {
      const port = `mgmt-${host}`;
      await on(
        sandbox,
        host,
        `ovs-vsctl add-port br-int ${port} -- set Interface ${port} type=internal external_ids:iface-id=${port}
         ip link set ${port} address ${mac(host)} mtu 1400 up && ip address add ${ADDRESSES[host]}/16 dev ${port} && ethtool -K ${port} tx off > /dev/null`,
      );
    }
    await Promise.all(HOSTS.map((host) => on(sandbox, "vm1", `ping -n -c1 -w20 ${ADDRESSES[host]}`)));
    const hosts = await SshHosts.start(sandbox, ADDRESSES);
    undo.move();
    return new SshStack(sandbox, workspace, hosts, revertIn);
  }

  /** The network with the hosts' own interfaces; an address set of each zone, and flows of a host, that have the version. */
  static program(addresses: Readonly<Record<string, string>>, version = 1): string {
    const own = Object.fromEntries(HOSTS.map((node) => [`mgmt-${node}`, { node, addresses: [addresses[node]!], mac: mac(node) }]));
    const args = blue();
    return `${program({ ...args, workloads: { ...args.workloads, ...own } }, "none")}
new ovn.BridgeFlows("flows", { host: "node2", bridges: [{ bridge: "theirs", flows: ["priority=${version},actions=drop"] }] });
for (const zone of ${JSON.stringify(HOSTS)})
  new ovn.NorthboundRows("set-" + zone, { zone, entries: { set: { table: "Address_Set", columns: { name: "ours", addresses: ["10.0.0.${version}"] } } } });`;
  }

  on(place: string, script: string): Promise<string> {
    return on(this.sandbox, place, script);
  }

  /** Uses targets by ssh, as the operator does. The test itself is on none of the sandbox's networks. @param timeout seconds for an answer */
  async reachBySsh(timeout?: number): Promise<void> {
    const { zones, hosts } = this.hosts.targets(timeout);
    await this.workspace.target(zones, {}, hosts);
  }

  async reachDirectly(): Promise<void> {
    await this.workspace.target(this.sandbox.zones, {}, this.sandbox.targets.hosts);
  }

  /** Folder of another operator, with another version of the program. */
  async otherFolder(version: number): Promise<string> {
    const other = this.workspace.inside("other");
    await mkdir(other.folder, { recursive: true });
    for (const name of ["Pulumi.yaml", "Pulumi.dev.yaml", "targets.yaml"]) await copyFile(join(this.workspace.folder, name), join(other.folder, name));
    await other.write(SshStack.program(ADDRESSES, version));
    return other.folder;
  }

  /** Starts a command of pulumi-ovn on the operator's machine. */
  async start(args: readonly string[], folder = this.workspace.folder): Promise<OperatorCommand> {
    const variables = Object.entries(this.workspace.environment).map(([name, value]) => `${name}=${value}`);
    const argv = ["env", ...variables, ...CLI, ...args, "--stack", "dev", "--cwd", folder];
    const { process: child } = await this.sandbox.spawn("vm1", argv, ["ignore", "pipe", "pipe"]);
    let text = "";
    child.stdout!.on("data", (chunk: Buffer) => (text += chunk.toString()));
    let result: Ran | undefined;
    const ended = finished(child).then((ran) => (result = ran));
    return {
      ended,
      printed: () => text,
      until: (check) =>
        until(async () => {
          const isEnded = result !== undefined;
          if (await check()) return true;
          if (isEnded) throw new Error(`${args.join(" ")} has ended with ${result!.code}: ${result!.stdout}${result!.stderr}`);
          return false;
        }),
      kill: async () => {
        killAll(processTree(child.pid!));
        await ended;
      },
    };
  }

  /** Runs a command of pulumi-ovn on the operator's machine to its end. */
  async run(args: readonly string[], folder?: string): Promise<Ran> {
    return (await this.start(args, folder)).ended;
  }

  /** Rows of all zones, flows of the host, and the state. */
  async everything(): Promise<Image> {
    const dumpOf = (host: HostName) => this.on(host, `ovsdb-client --format=json dump ${this.sandbox.zones[host]!.northbound} OVN_Northbound`);
    const dumps = await Promise.all(HOSTS.map(async (host) => parseDump(await dumpOf(host), host)));
    return {
      rows: new Map(dumps.flat()),
      flows: await this.on("node2", "ovs-ofctl --no-stats dump-flows theirs"),
      state: (await this.workspace.state()).resources.map(({ urn, inputs, outputs }) => ({ urn, inputs, outputs })),
    };
  }

  async expectSame(before: Image): Promise<void> {
    const { rows, ...rest } = await this.everything();
    expect(difference(before.rows, rows)).toEqual(NO_DIFFERENCE);
    expect(rest).toEqual({ flows: before.flows, state: before.state });
  }

  /** `external_ids` of the zones, which have the records of applies. */
  records(): Promise<string[]> {
    return Promise.all(HOSTS.map((host) => this.on(host, "ovn-nbctl get NB_Global . external_ids")));
  }

  /** Waits until a command has laid its apply down in each zone, with a timer on each host. */
  async laidDown(command: OperatorCommand): Promise<{ readonly id: string; readonly deadline: number }> {
    let records: string[] = [];
    await command.until(async () => (records = await this.records()).every((text) => text.includes("apply-phase")));
    const facts = records.map((text) => JSON.parse(Buffer.from(/apply-facts"="([^"]+)"/.exec(text)![1]!, "base64").toString()) as ApplyFacts);
    for (const { timer } of facts) expect(timer).toContain("a process on the database's host");
    return { id: /"pulumi-ovn:apply"="?(\w{8})/.exec(records[0]!)![1]!, deadline: Date.parse(facts[0]!.deadline) };
  }

  /** Processes on a host that undo an apply of its zone. */
  timersOn(host: HostName, id: string): number[] {
    const socket = this.sandbox.zones[host]!.northbound;
    return timersOf(id).filter((pid) => readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0").includes(socket));
  }

  /** Expects that less time than 5 s, on a quiet machine, has passed since a deadline. */
  expectInTime(deadline: number): void {
    expect(Date.now() - deadline).toBeLessThan(this.revertIn * 500);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.hosts[Symbol.asyncDispose]();
    await this.workspace[Symbol.asyncDispose]();
    await this.sandbox.down();
  }
}

async function on(sandbox: Sandbox, place: string, script: string): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, ["sh", "-ec", script], { timeout: 30_000 });
  if (code !== 0) throw new Error(`${script} in ${place}: ${stderr}${stdout}`);
  return stdout;
}
