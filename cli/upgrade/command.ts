import { Connections, kubernetesConfig, OLD_ZONES_KEY, readAllTargets, TARGETS_KEY } from "@pulumi-ovn/provider/targets";
import type { ConfigMap } from "@pulumi/pulumi/automation";
import { recover } from "../apply/pending";
import { stackOf } from "../apply/stack";
import type { Command } from "../command";
import { projectIn, requireProject } from "../stack/stack-file";
import { ConfigFile } from "./config-file";
import { dryRun } from "./dry-run";
import { Engine, EngineError } from "../stack/engine";
import { Halt } from "./gates";
import { printError } from "../output";
import { known, readOptions } from "./options";
import { plural } from "../texts";
import { Interrupted, INTERRUPTED, Stop } from "../stop";
import { describe, Reporter } from "./report";
import { situationOf } from "./situation";
import { Rollout } from "./rollout";
import { NetworkZones } from "./zones";

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const folder = requireProject(options.cwd);
  const reporter = new Reporter(options.log, { json: options.json });
  const say = (text: string) => reporter.say(text);
  const engine = await Engine.open(folder, options.stack, say);
  // The first signal ends the rollout after the update in progress, so that the stage is complete.
  using stop = new Stop([() => say("interrupted: finishing the current stage; press Ctrl-C again to stop it"), () => engine.interrupt(), () => engine.kill()]);
  try {
    const config = await engine.config();
    await using targets = targetsIn(config, folder);
    // A run that has died in a stage with --revert-in leaves the state of after, and the targets undo the stage.
    await recover(targets.connections, { engine, folder, stack: stackOf(projectIn(folder) ?? "", engine.name), say });
    const file = ConfigFile.read(folder, engine.name);
    const found = await engine.preview();
    const situation = situationOf(found, file, options);
    const { network, stages, unfinished } = situation;
    const zones = new NetworkZones(targets.connections, network);
    say(`network ${network.name} of stack ${engine.name}: ${describe(network.settings)}; ${plural(stages.length, "stage")} to go`);
    reporter.log("start", { network: network.name, stack: engine.name, settings: network.settings, stages: stages.length, unfinished, back: options.back });
    if (options.dryRun) await dryRun({ engine, reporter, options }, situation, found, file);
    else await new Rollout({ engine, zones, reporter, stop, options, folder }, situation, found, file).run();
    return 0;
  } catch (error) {
    return failed(error as Error, reporter, stop.asked);
  }
}

/** Targets of a stack's configuration, which may be that of its project. */
function targetsIn(config: ConfigMap, folder: string) {
  const { zones, hosts, clusters } = readAllTargets({
    file: config[TARGETS_KEY]?.value,
    oldZones: config[OLD_ZONES_KEY] !== undefined,
    environment: process.env,
    folder,
  });
  const kubernetes = kubernetesConfig((key) => config[key]?.value);
  const connections = new Connections(zones, hosts, clusters, folder, kubernetes);
  return { connections, [Symbol.asyncDispose]: () => connections.close() };
}

/** The exit code of a rollout that failed, or was asked to end; throws other errors. */
export function failed(error: Error, reporter: Pick<Reporter, "log">, isRequested: boolean): number {
  const message = error instanceof Interrupted ? "run again to go on" : error.message;
  reporter.log("end", { message });
  if (error instanceof Halt) printError(`pulumi-ovn upgrade: ${message}\n`);
  // A preview that was stopped fails like any other.
  else if (error instanceof Interrupted || (isRequested && error instanceof EngineError)) printError(`pulumi-ovn upgrade: interrupted; ${message}\n`);
  else throw error;
  return error instanceof Halt && !isRequested ? 1 : INTERRUPTED;
}

export const upgradeCommand: Command = {
  summary: "move a live network from one topology to another, stage by stage",
  forms: ["[OPTIONS]"],
  about: `Moves a live Layer2Network from the gateway topology to the transit topology, stage by stage: each
is a state of ovn:topology in the stack's configuration and one ordinary update, with gates before
and after. A failed gate halts with a network that works; run again to go on.
See docs/how-to/upgrade.md.`,
  options: known,
  notes: "Exit code: 0 done; 1 halted or refused; 2 usage error; 130 interrupted.",
  run,
};
