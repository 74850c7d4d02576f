import type { ConfigFile } from "./config-file";
import { updateText } from "../stack/engine";
import { type Gated, Gates, Halt } from "./gates";
import { type Network, networkIn } from "./network";
import type { Preview } from "../stack/preview";
import { awaitedText, describe, leftText } from "./report";
import { runRevertibly } from "./revertible-stage";
import type { Settings } from "./settings";
import type { Situation } from "./situation";
import { settingsAfter, settleSeconds, type Stage } from "./stages";
import type { Tools } from "./tools";
import { RolloutLock } from "./rollout-lock";

/** One step of a rollout: a stage of the plan, or the one that an interrupted rollout or a person left unfinished. */
type Step = Gated & Pick<Stage, "settle">;

/** Runs the stages of an upgrade. All its memory is in the stack's configuration file. */
export class Rollout {
  #file: ConfigFile;
  #network: Network;
  readonly #gates: Gates;

  constructor(
    private readonly tools: Tools,
    private readonly situation: Situation,
    private readonly found: Preview,
    file: ConfigFile,
  ) {
    this.#file = file;
    this.#network = situation.network;
    this.#gates = new Gates(tools);
  }

  /** Resolves when the goal, or the number of stages asked for, is reached. Throws a Halt when a gate or an update failed. */
  async run(): Promise<void> {
    const { reporter, zones, stop } = this.tools;
    const { stages, planned, isShared, awaited, unfinished, moves, network } = this.situation;
    const lock = await RolloutLock.take(zones.connections, zones.first, network.name);
    try {
      // Another rollout may have continued between the reading and the lock.
      this.#file.requireAsRead();
      await this.#gates.first(this.situation, this.found, this.#file);
      if (unfinished)
        await this.#step(
          { label: "[resume]", title: `complete the configured stage: ${describe(network.settings)}`, moves, settle: settleOf(network.settings) },
          this.found,
        );
      // The previous rollout may not have waited long enough.
      else if (stages.length > 0) await this.#settle({ settle: settleOf(network.settings) });
      for (const stage of planned) {
        stop.check();
        reporter.requireLog();
        lock.require();
        await this.#stage(stage, stages.length);
      }
      const left = stages.length - planned.length;
      const end = awaited.length > 0 ? awaitedText(awaited) : "nothing is left to do";
      reporter.say(left > 0 ? leftText(left, isShared) : `network ${network.name}: ${describe(this.#network.settings)}; ${end}`);
      reporter.log("done", { settings: this.#network.settings, left });
      reporter.requireLog();
    } finally {
      await lock.release();
    }
  }

  async #stage(stage: Stage, of: number): Promise<void> {
    const { engine } = this.tools;
    const settings = settingsAfter(this.#network.settings, stage);
    const file = this.#file.today(this.#network.name).with(this.#network.name, settings);
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
    const { reporter, stop, options } = this.tools;
    const started = performance.now();
    const preview = await this.#gates.before(step, this.#network, previewing);
    stop.check();
    const former = this.#network;
    const update = async () => {
      file.write();
      this.#file = file;
      await this.#update(step);
      this.#network = networkIn(preview.after, former.name);
    };
    const gates = () => this.#gates.after(step, this.#network);
    if (options.revertIn === undefined) {
      await update();
      await gates();
    } else {
      const result = await runRevertibly({ preview, seconds: options.revertIn, update, gates }, this.tools);
      if (result !== "kept") {
        file.takeBack();
        throw new Halt(`${step.label} ${step.title} was ${result}. The network is as before (${describe(former.settings)}); run again to go on`);
      }
    }
    await this.#settle(step);
    reporter.log("passed", { label: step.label, seconds: (performance.now() - started) / 1000 });
  }

  async #update({ label, title }: Step): Promise<void> {
    const { engine, reporter } = this.tools;
    const message = `pulumi-ovn upgrade of ${this.#network.name} ${label}: ${title}`;
    const done = await engine.up(message).catch((error: Error) => {
      reporter.log("failed", { label, message: error.message });
      throw new Halt(`the update of ${label} ${title} was not completed:\n${error.message}\nThe configuration has the stage already: run again to complete it`);
    });
    reporter.say(`  ${updateText(done)}`);
    reporter.log("update", { label, ...done });
  }

  async #settle({ settle }: Pick<Step, "settle">): Promise<void> {
    const { reporter, options, stop } = this.tools;
    const due = settleSeconds({ settle }, this.#network.ipv6);
    const seconds = due === 0 ? 0 : (options.settleSeconds ?? due);
    if (seconds === 0) return;
    reporter.log("settle", { seconds });
    await stop.wait(seconds, (left) => reporter.say(`  waiting until workloads have renewed their neighbour entries: ${left} s left`));
  }
}

function settleOf({ upgrade, nodes }: Settings): Stage["settle"] {
  if (upgrade !== "announce") return { ipv4: 0, ipv6: 0 };
  return Object.values(nodes).includes("gateway") ? { ipv4: 5, ipv6: 5 } : { ipv4: 5, ipv6: 75 };
}
