import { CommandError } from "../../command";
import { endAtSignal } from "../../end-at-signal";
import { connectionsOf } from "../../stack/live-stack";
import { print } from "../../output";
import { during } from "../../progress";
import { readStackState } from "../../stack/stack-state";
import type { SimulateOptions } from "../options";
import { liveIntents } from "./intents";
import { LIVE_FORMATS } from "./report";

/** Judges the intents of a stack on its live databases, and prints them. Throws a CommandError if one is broken. */
export async function judgeLive({ format, state, stack, cwd }: SimulateOptions): Promise<number> {
  const read = await readStackState({ file: state, stack, cwd });
  const targets = connectionsOf(read, { cwd });
  using _ = endAtSignal();
  const intents = await during("judging intents", () => liveIntents(read, targets));
  const { project = "", stack: name = "" } = read;
  print(LIVE_FORMATS[format]({ project, stack: name, intents }), format === "json" ? "json" : "text");
  const broken = intents.filter(({ verdict }) => verdict === "broken").length;
  if (broken > 0) throw new CommandError("OVN_INTENT", `${broken} of ${intents.length} intents do not hold in the live databases`);
  return 0;
}
