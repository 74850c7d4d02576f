import {
  type Finding, keyFindings, type Network, networkIn, releaseFindings, rowDifferences, settingsAfter, settleSeconds, type Settings, type Stage, WalkLock, workloadFindings,
} from "@pulumi-ovn/provider/upgrade";
import type { ConfigFile } from "./config-file";
import type { Engine, Preview } from "./engine";
import type { UpgradeOptions } from "./options";
import { probeFindings } from "./probe";
import { plural, type Reporter } from "./report";
import { type Situation, strayChanges } from "./situation";
import type { Stop } from "./stop";
import type { NetworkZones } from "./zones";

/** What a walk works with. */
export interface Tools {
  readonly engine: Engine;
  readonly zones: NetworkZones;
  readonly reporter: Reporter;
  readonly stop: Stop;
  readonly options: UpgradeOptions;
}

/** The gates of a stage do not let it pass, or an update failed: the network stays as it is, and works. */
export class Halt extends Error {}

/** One step of a walk: a stage of the plan, or the one that an interrupted walk or a person left unfinished. */
type Step = Pick<Stage, "moves" | "title" | "settle"> & { readonly label: string };

/** Goes from stage to stage. Whatever it has to remember is in the stack's configuration file. */
export class Walk {
  #file: ConfigFile;
  #network: Network;

  constructor(
    private readonly tools: Tools,
    private readonly situation: Situation,
    private readonly found: Preview,
    file: ConfigFile,
  ) {
    this.#file = file;
    this.#network = situation.network;
  }

  /** Resolves when the goal, or the number of stages asked for, is reached. Throws a Halt when a gate or an update failed. */
  async run(): Promise<void> {
    const { reporter, zones, stop, options } = this.tools;
    const { stages, unfinished, moves, network } = this.situation;
    const lock = await WalkLock.take(zones.connections, zones.first, network.name);
    try {
      await this.#preflight();
      if (unfinished) await this.#step({ label: "[resume]", title: `complete what the configuration says: ${describe(network.settings)}`, moves, settle: settleOf(network.settings) }, this.found);
      // Whoever was here before may not have waited long enough.
      else if (stages.length > 0) await this.#settle({ settle: settleOf(network.settings) });
      const due = stages.slice(0, options.stages);
      for (const stage of due) {
        stop.check();
        lock.require();
        await this.#stage(stage, stages.length);
      }
      reporter.say(due.length === stages.length ? `network ${network.name}: ${describe(this.#network.settings)}; nothing is left to do` : `${plural(stages.length - due.length, "stage")} left; run again to go on`);
      reporter.log("done", { settings: this.#network.settings, left: stages.length - due.length });
    } finally {
      await lock.release();
    }
  }

  /** Everything that can be known before the first stage. */
  async #preflight(): Promise<void> {
    const { zones, options, engine } = this.tools;
    const { stages, foreign, unfinished, network } = this.situation;
    if (stages.length === 0 && !unfinished) return;
    // Nodes that move later may still be emptied meanwhile.
    const firstMoves = stages.slice(0, options.stages).find(({ moves }) => moves.length > 0)?.moves ?? [];
    const snapshots = await zones.snapshots();
    const goal: Settings = { upgrade: "move", nodes: Object.fromEntries(network.nodes.map(({ name }) => [name, options.back ? "gateway" : "transit"])) };
    // With every node moved there are all rows of both topologies: what can't be is found now, not in the middle.
    const demanding = await this.#file.with(network.name, goal).draft((path) => engine.preview(path));
    const findings = [
      ...foreign,
      ...(await zones.drift(this.found)),
      // Between two stages zones may differ; before the first one the network has to be whole.
      ...(unfinished ? [] : await zones.disagreements(network, options.gateSeconds)),
      ...releaseFindings(snapshots),
      ...(options.loaded ? [] : workloadFindings(network, firstMoves, snapshots)),
      ...keyFindings(network, this.found.before, [...this.found.after, ...demanding.after], snapshots),
      ...(await this.#probe("before", [])),
    ];
    this.#pass("before the first stage", findings);
  }

  async #stage(stage: Stage, of: number): Promise<void> {
    const { engine } = this.tools;
    const settings = settingsAfter(this.#network.settings, stage);
    const file = this.#file.with(this.#network.name, settings);
    const step = { ...stage, label: `[${stage.number}/${of}]` };
    this.#begin(step);
    const preview = file.draft((path) => engine.preview(path));
    await this.#enter(step, preview, file);
  }

  async #step(step: Step, found: Preview): Promise<void> {
    this.#begin(step);
    await this.#enter(step, Promise.resolve(found), this.#file);
  }

  #begin({ label, title, moves }: Step): void {
    this.tools.reporter.say(`${label} ${title}`);
    this.tools.reporter.log("stage", { label, title, moves });
  }

  async #enter(step: Step, previewing: Promise<Preview>, file: ConfigFile): Promise<void> {
    const { engine, reporter, stop, zones } = this.tools;
    const started = performance.now();
    const [preview, findings] = await Promise.all([previewing, this.#gatesBefore(step)]);
    reporter.differences(rowDifferences(preview.before, preview.after));
    this.#pass(`before ${step.label} ${step.title}`, [...strayChanges(preview, this.#network), ...(await zones.drift(preview)), ...findings]);
    stop.check();
    file.write();
    this.#file = file;
    const message = `pulumi-ovn upgrade of ${this.#network.name} ${step.label}: ${step.title}`;
    const { changes, seconds } = await engine.up(message).catch((error: Error) => {
      reporter.log("failed", { label: step.label, message: error.message });
      throw new Halt(`the update of ${step.label} ${step.title} was not completed:\n${error.message}\nThe configuration has the stage already: run again to complete it`);
    });
    reporter.say(`  update: ${Object.entries(changes).map(([change, count]) => `${count} ${change}`).join(", ")} in ${seconds.toFixed(1)} s`);
    reporter.log("update", { label: step.label, changes, seconds });
    this.#network = networkIn(preview.after, this.#network.name);
    await this.#gatesAfter(step);
    await this.#settle(step);
    reporter.log("passed", { label: step.label, seconds: (performance.now() - started) / 1000 });
  }

  async #gatesBefore({ moves }: Step): Promise<Finding[]> {
    const { zones, options } = this.tools;
    const [late, snapshots] = await Promise.all([zones.caughtUp(this.#network.waitFor, options.gateSeconds), options.loaded || moves.length === 0 ? [] : zones.snapshots()]);
    return [...late, ...workloadFindings(this.#network, moves, snapshots)];
  }

  async #gatesAfter({ label, title, moves }: Step): Promise<void> {
    const { zones, options, reporter } = this.tools;
    const late = await zones.caughtUp(this.#network.waitFor, options.gateSeconds);
    const findings = late.length > 0 ? late : await zones.disagreements(this.#network, options.gateSeconds);
    this.#pass(`after ${label} ${title}`, findings.length > 0 ? findings : await this.#probe(title, moves));
    reporter.say(`  gates: ${plural(this.#network.nodes.length, "zone")} caught up; keys, types and chassis agree; join addresses reached${options.probe === undefined ? "" : "; probe"}`);
  }

  async #probe(stage: string, moves: readonly string[]): Promise<Finding[]> {
    const { probe, probeSeconds } = this.tools.options;
    if (probe === undefined) return [];
    return probeFindings(probe, probeSeconds, { OVN_UPGRADE_NETWORK: this.#network.name, OVN_UPGRADE_STAGE: stage, OVN_UPGRADE_NODES: moves.join(",") });
  }

  async #settle({ settle }: Pick<Step, "settle">): Promise<void> {
    const { reporter, options, stop } = this.tools;
    const due = settleSeconds({ settle }, this.#network.ipv6);
    const seconds = due === 0 ? 0 : options.settleSeconds ?? due;
    if (seconds === 0) return;
    reporter.log("settle", { seconds });
    await stop.wait(seconds, (left) => reporter.say(`  waiting until workloads have renewed their neighbour entries: ${left} s left`));
  }

  #pass(when: string, findings: readonly Finding[]): void {
    if (findings.length === 0) return;
    const { reporter } = this.tools;
    reporter.say(`halted ${when}:`);
    reporter.findings(findings);
    reporter.log("halt", { when, findings: findings.length });
    throw new Halt(`${plural(findings.length, "check")} failed ${when}. The network works as it is (${describe(this.#network.settings)}); run again to go on`);
  }
}

function settleOf({ upgrade, nodes }: Settings): Stage["settle"] {
  if (upgrade !== "announce") return { ipv4: 0, ipv6: 0 };
  return Object.values(nodes).includes("gateway") ? { ipv4: 5, ipv6: 5 } : { ipv4: 5, ipv6: 75 };
}

/** Where a network is, for people. */
export function describe({ upgrade, nodes }: Settings): string {
  const topologies = Object.values(nodes);
  const moved = topologies.filter((topology) => topology === "transit").length;
  return `${upgrade === undefined ? "no stage" : `stage "${upgrade}"`}, ${moved} of ${plural(topologies.length, "node")} on the transit topology`;
}
