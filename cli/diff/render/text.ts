import { plural } from "../../texts";
import { groupTargets, type TargetGroup } from "../groups";
import { type Diagnostic, type Difference, targetDifferences } from "../model";
import { visible } from "@pulumi-ovn/provider/tools";
import { countLines } from "./counts";
import { type Layout, levels, RANKS, type Section, targetLevels } from "./document";
import { effectSections } from "./effects";
import { INTENT_MARKS, intentText, judgedLines } from "./intents";
import { CLIPPED, type Line, resourceLines, WHOLE } from "./lines";
import { allResources, danger, FAILED, nounOf, omittedText, otherLines, targetNoun, rowsText, shortName, summary } from "./sentences";

const MARKS: Readonly<Record<string, string>> = { create: "+", update: "~", delete: "-", replace: "±", import: "+" };
const COLOURS: Readonly<Record<string, number>> = { "+": 32, "-": 31, "~": 33, "#": 1, "!": 31 };

type Paint = (mark: string, text: string) => string;

/** Text format for terminals. Colours are optional. */
export function textFormat(colours: boolean): (difference: Difference) => Layout {
  const paint: Paint = (mark, text) => (colours && COLOURS[mark] !== undefined ? `\u001b[${COLOURS[mark]}m${text}\u001b[0m` : text);
  return (difference) => ({
    head: head(difference, paint),
    sections: [
      ...difference.diagnostics.map((diagnostic) => messageSection(diagnostic, paint)),
      ...groupTargets(targetDifferences(difference)).map((group) => targetSection(group, paint)),
      ...intentSections(difference, paint),
      ...judgedSections(difference, paint),
      ...otherSections(difference, paint),
      ...effectSections(difference.simulated, shortName, (mark, text) => `${paint(mark, mark === "#" ? text : `${mark} ${text}`)}\n`),
    ],
    tail: (omitted) => (omitted ? `\n${omittedText(omitted, targetNoun(difference))}\n` : ""),
    join: (texts) => texts.map(({ text }) => text).join(""),
  });
}

function head(difference: Difference, paint: Paint): string {
  const { project, stack, failed } = difference;
  const dangers = danger(allResources(difference));
  return [
    `${paint("#", `${shortName(project)}/${shortName(stack)}: ${summary(difference)}`)}\n`,
    failed ? `${paint("!", FAILED)}\n` : "",
    dangers ? `${paint("!", dangers)}\n` : "",
  ].join("");
}

function messageSection({ severity, message, resource }: Diagnostic, paint: Paint): Section {
  const label = paint(severity === "error" ? "!" : "~", labelOf({ severity, resource }));
  const [short, whole] = [shortName(visible(message.split("\n", 1)[0]!), 200), wholeText(message)].map((text) => `${label} ${text}\n`);
  return { about: "message", weight: 1, levels: levels([short!, "line", RANKS.message], [whole!, "all", RANKS.wholeMessage]) };
}

/** Text of an error or a warning of a preview, with all its lines. */
export function messageText(diagnostic: Diagnostic): string {
  return `${labelOf(diagnostic)} ${wholeText(diagnostic.message)}`;
}

function labelOf({ severity, resource }: Pick<Diagnostic, "severity" | "resource">): string {
  return `${severity}${resource === undefined ? "" : ` (${shortName(resource)})`}:`;
}

function wholeText(message: string): string {
  return message.split("\n").map(visible).join("\n  ");
}

/** Maximum number of targets that the heading of a group names. */
const NAMES = 12;

function targetSection({ names: all, difference, resources }: TargetGroup, paint: Paint): Section {
  const { kind } = difference;
  const names = all.map((name) => shortName(name));
  const dangers = danger(resources);
  const title = (named: string) =>
    `\n${paint("#", `${names.length > 1 ? `${plural(names.length, kind)} ` : `${kind} `}${named}: ${rowsText(difference.counts, nounOf(kind))}${dangers ? `; ${dangers}` : ""}${names.length > 1 ? "; in each" : ""}`)}\n`;
  const some = names.length > NAMES ? `${names.slice(0, 3).join(", ")} … ${names.at(-1)!}` : names.join(", ");
  const rows = (lengths: typeof WHOLE) =>
    title(names.join(", ")) +
    resources
      .flatMap((resource) => resourceLines(resource, kind, lengths))
      .map((line) => lineText(line, paint))
      .join("");
  const counts = countLines(resources, kind)
    .map((line) => `  ${line}\n`)
    .join("");
  return {
    about: "target",
    weight: names.length,
    levels: targetLevels(dangers !== undefined, { line: title(some), counts: title(some) + counts, clipped: rows(CLIPPED), all: rows(WHOLE) }),
  };
}

function lineText({ mark, depth, text }: Line, paint: Paint): string {
  const indent = "  ".repeat(depth + 1);
  return mark === "#" ? `${indent}${text}\n` : `${indent}${paint(mark, `${mark} ${text}`)}\n`;
}

function intentSections({ intents }: Difference, paint: Paint): Section[] {
  return intents.map((intent, index) => {
    const mark = INTENT_MARKS[intent.operation];
    const line = `${index === 0 ? "\n" : ""}${paint(mark, `${mark} ${intentText(intent)}`)}\n`;
    return { about: "intent", weight: 1, levels: levels([line, "all", RANKS.other]) };
  });
}

function judgedSections({ judged = [] }: Difference, paint: Paint): Section[] {
  return judgedLines(judged).map(({ mark, text }, index) => {
    const line = `${index === 0 ? "\n" : ""}${paint(mark, `${mark} ${text}`)}\n`;
    return { about: "intent", weight: 1, levels: levels([line, "all", RANKS.message]) };
  });
}

function otherSections({ others }: Difference, paint: Paint): Section[] {
  return otherLines(others).map(({ lines: { operation, text }, weight }, index) => {
    const mark = MARKS[operation] ?? " ";
    const line = `${index === 0 ? "\n" : ""}${paint(operation === "replace" ? "!" : mark, `${mark} ${text}`)}\n`;
    return { about: "resource", weight, levels: levels([line, "all", RANKS.other - (danger([{ operation }]) ? 2 : 0)]) };
  });
}
