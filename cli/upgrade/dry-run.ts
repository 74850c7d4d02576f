import type { ConfigFile } from "./config-file";
import { rowDifferences } from "./differences";
import type { Preview } from "../stack/preview";
import { plural } from "../texts";
import { awaitedText } from "./report";
import type { Situation } from "./situation";
import { settingsAfter, settleSeconds } from "./stages";
import type { Tools } from "./tools";

/**
 * Shows every stage as a preview of the state before it. The engine can compare with the stack as it is only; so each
 * stage is previewed by itself, from a draft of the configuration, and its rows are compared with those of the stage
 * before. Nothing is written: not the configuration, not the stack, not a database.
 */
export async function dryRun(
  { engine, reporter, options }: Pick<Tools, "engine" | "reporter" | "options">,
  { network, stages, planned, awaited, unfinished }: Situation,
  found: Preview,
  file: ConfigFile,
): Promise<void> {
  if (unfinished) {
    reporter.say("[resume] complete the configured stage");
    reporter.differences(rowDifferences(found.before, found.after), Infinity);
  }
  let before = found.after;
  let settings = network.settings;
  for (const stage of planned) {
    settings = settingsAfter(settings, stage);
    const label = `[${stage.number}/${stages.length}]`;
    reporter.say(`${label} ${stage.title}`);
    reporter.log("stage", { label, title: stage.title, moves: stage.moves });
    const { after } = await file.with(network.name, settings).draft((path) => engine.preview(path));
    reporter.differences(rowDifferences(before, after), Infinity);
    const wait = settleSeconds(stage, network.ipv6);
    if (wait > 0) reporter.say(`  then ${plural(options.settleSeconds ?? wait, "second")} for neighbour entries of workloads to be renewed`);
    before = after;
  }
  if (awaited.length > 0) reporter.say(awaitedText(awaited));
  reporter.say("a dry run: nothing was changed");
  reporter.requireLog();
}
