import { CommandError, type Command } from "../command";
import { differenceOf } from "./difference";
import { hasChanges } from "./model";
import { type FormatName, readOptions, usage } from "./options";
import { readPreview } from "./preview";
import { compose, type Format } from "./render/document";
import { jsonFormat } from "./render/json";
import { markdownFormat } from "./render/markdown";
import { textFormat } from "./render/text";
import { readSource } from "./source";

const CHANGES = 2;

function formatOf(name: FormatName): Format {
  if (name === "markdown") return markdownFormat;
  if (name === "json") return jsonFormat;
  return textFormat(process.stdout.isTTY && process.stdout.hasColors());
}

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  const source = await readSource(options);
  const read = differenceOf(readPreview(source.text, source.name));
  const difference = { ...read, failed: read.failed || source.failed === true };
  process.stdout.write(compose(formatOf(options.format)(difference), options.maxBytes));
  if (difference.failed) throw new CommandError("OVN_PREVIEW_FAILED", "the preview has errors; what it shows is not the whole change");
  return options.exitCode && hasChanges(difference) ? CHANGES : 0;
}

export const diffCommand: Command = { summary: "show what a preview changes, short enough for a pull request", usage, run, usageExitCode: 1 };
