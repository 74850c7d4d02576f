import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { difference, NO_DIFFERENCE } from "./dump";
import { pathWithClient } from "./path-with-client";
import { pulumiOvn } from "./pulumi-ovn";
import { until } from "./until";
import { type Ran, Workspace } from "./workspace";
import { TestZones } from "./zones";

const ZONES = ["node1", "node2"];

/** A stack over the zones node1 and node2, with what `pulumi-ovn apply` needs on their host. */
export class ApplyStack implements AsyncDisposable {
  private constructor(
    readonly zones: TestZones,
    readonly workspace: Workspace,
    public environment: NodeJS.ProcessEnv,
  ) {}

  /**
   * Nothing of the program is applied yet.
   * @param clusters as in a file of targets; `hosts`, too
   */
  static async start(program: string, clusters: object = {}, hosts: object = {}): Promise<ApplyStack> {
    const zones = await TestZones.start(ZONES);
    const workspace = await Workspace.create(program, zones.config);
    await workspace.target(withLongTimeout(zones.config), clusters, withLongTimeout(hosts));
    return new ApplyStack(zones, workspace, {
      ...workspace.environment,
      PATH: await pathWithClient(join(workspace.folder, "bin"), workspace.environment.PATH),
    });
  }

  cli(...args: string[]): Promise<Ran> {
    return pulumiOvn(args, this.environment, this.workspace.folder);
  }

  apply(...args: string[]): Promise<Ran> {
    return this.cli("apply", "--stack", "dev", ...args);
  }

  /** Rows and state, which an undo must restore. */
  async everything() {
    return { rows: await this.zones.northbound(), state: await this.#state() };
  }

  async expectSame({ rows, state }: Awaited<ReturnType<ApplyStack["everything"]>>): Promise<void> {
    expect(difference(rows, await this.zones.northbound())).toEqual(NO_DIFFERENCE);
    expect(await this.#state()).toBe(state);
  }

  /** `external_ids` of the zones, which have the records of applies. */
  records(): Promise<string[]> {
    return Promise.all(ZONES.map((zone) => this.zones.nbctl(zone, "get", "NB_Global", ".", "external_ids")));
  }

  /** No record, process or file of any apply. */
  async expectNothingLeft(...ids: string[]): Promise<void> {
    expect(await this.records()).toEqual(["{}", "{}"]);
    expect(existsSync(join(this.workspace.folder, ".pulumi-ovn"))).toBe(false);
    await until(() => ids.flatMap(timersOf).length === 0); // they look every 5 s
  }

  async #state(): Promise<string> {
    return JSON.stringify((await this.workspace.state()).resources.map(({ urn, inputs, outputs }) => ({ urn, inputs, outputs })));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.workspace[Symbol.asyncDispose]();
    await this.zones.stop();
  }
}

/** Targets with a timeout that a busy machine does not exceed. */
const withLongTimeout = (targets: object): object => Object.fromEntries(Object.entries(targets).map(([name, target]) => [name, { ...target, timeout: 60 }]));

/** ID in what an apply has printed. */
export const idIn = (stdout: string): string | undefined => /^apply (\w{8})/m.exec(stdout)?.[1];

/** Processes on hosts that undo an apply at its deadline. */
export function timersOf(id: string): number[] {
  const pids = readdirSync("/proc").filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(`\0${id}\0`);
    } catch {
      return false;
    }
  });
  return pids.map(Number);
}
