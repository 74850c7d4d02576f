import { CommandError, type Command } from "../command";
import { differenceOf } from "./difference";
import { type Difference, hasChanges } from "./model";
import { type DiffOptions, type FormatName, known, readOptions } from "./options";
import { type Preview, readPreview } from "../plan/preview";
import { compose, type Format } from "./render/document";
import { jsonFormat } from "./render/json";
import { markdownFormat } from "./render/markdown";
import { pictureOf } from "./render/picture";
import { textFormat } from "./render/text";
import { savedPlanOf } from "../plan/saved";
import { print } from "../output";
import { during } from "../progress";
import { replaceFile } from "../replace-file";
import { readSource } from "../plan/source";
import { endAtSignal } from "../end-at-signal";
import { refuseBroken } from "../simulate/intents/results";
import { simulatedIntents } from "../simulate/intents/simulated";
import { simulated } from "../simulate/simulated";

const CHANGES = 2;

function formatOf(name: FormatName): Format {
  if (name === "markdown") return markdownFormat;
  if (name === "json") return jsonFormat;
  return textFormat(process.stdout.isTTY && process.stdout.hasColors());
}

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const source = await readSource(options);
  const preview = readPreview(source.text, source.name);
  const read = differenceOf(preview);
  const failed = read.failed || source.failed === true;
  using _ = endAtSignal();
  const difference = { ...read, failed, ...(failed ? {} : await simulatedParts(preview, options)) };
  const document = formatOf(options.format)(difference);
  const picture = options.picture ? pictureOf(preview, options.maxBytes) : "";
  print(compose({ ...document, head: document.head + picture }, options.maxBytes), options.format === "json" ? "json" : "visible");
  if (difference.failed) throw new CommandError("OVN_PREVIEW_FAILED", "the preview has errors; what it shows is not the whole change");
  if (difference.judged) refuseBroken(difference.judged);
  if (options.save !== undefined) replaceFile(options.save, `${JSON.stringify(savedPlanOf(preview), null, 2)}\n`);
  return options.exitCode && hasChanges(difference) ? CHANGES : 0;
}

async function simulatedParts(preview: Preview, { intents, simulate }: DiffOptions): Promise<Pick<Difference, "judged" | "simulated">> {
  if (simulate) {
    const { report } = await simulated(preview);
    return { judged: report.intents, simulated: report };
  }
  return intents ? { judged: await during("judging intents", () => simulatedIntents(preview)) } : {};
}

export const diffCommand: Command = {
  summary: "show what a preview changes, short enough for a pull request",
  forms: ["[FILE|-] [OPTIONS] [-- ARGUMENTS]"],
  about: `Shows what a preview changes, as a reviewer reads it: the rows that change and no others, by zone
and resource, in one order, with counts. Zones in which the same happens are shown once. Without
FILE it runs "pulumi preview --json" itself, with its progress on a terminal; FILE is what that
printed, "-" is standard input.`,
  options: known,
  words: "file",
  notes: `ARGUMENTS are for "pulumi preview", such as --refresh.

Exit code: 0 done; 1 failed, the preview has errors, or an intent is broken (--intents, --simulate);
2 usage error;
129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM, with the preview. With --exit-code: 2 something
changes, 1 also a usage error.`,
  run,
  usageExitCode: (args) => (args.includes("--exit-code") ? 1 : 2),
};
