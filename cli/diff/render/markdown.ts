import { plural } from "../../texts";
import { groupTargets, type TargetGroup } from "../groups";
import { type Diagnostic, type Difference, targetDifferences } from "../model";
import { visible } from "@pulumi-ovn/provider/tools";
import { code, fence } from "./code";
import { countLines } from "./counts";
import { type Layout, levels, RANKS, type Section, targetLevels } from "./document";
import { effectSections } from "./effects";
import { INTENT_MARKS, intentText, judgedLines } from "./intents";
import { CLIPPED, type Line, resourceLines, WHOLE } from "./lines";
import { allResources, danger, FAILED, nounOf, omittedText, otherLines, targetNoun, rowsText, shortName, summary } from "./sentences";

/**
 * Format for the comment of a pull request on GitHub and GitLab: foldable zones, rows as a colored diff. All text of the stack is in code, where
 * Markdown, HTML, "@" and "#" have no meaning.
 */
export function markdownFormat(difference: Difference): Layout {
  const groups = groupTargets(targetDifferences(difference));
  const open = groups.flatMap(({ resources }) => resources).flatMap(({ rows }) => rows).length <= OPEN_ROWS;
  return {
    head: head(difference),
    sections: [
      ...difference.diagnostics.map(messageSection),
      ...groups.map((group) => targetSection(group, open)),
      ...intentSections(difference),
      ...judgedSections(difference),
      ...otherSections(difference),
      ...effectSections(
        difference.simulated,
        (text) => code(shortName(text)),
        (mark, text) => (mark === "#" ? `**${text}**\n\n` : `- ${text}\n`),
      ),
    ],
    tail: (omitted) => (omitted ? `\n> ${omittedText(omitted, targetNoun(difference)).replace(/pulumi-ovn .*$/, "`$&`")}\n` : ""),
    join: (texts) => texts.map(({ text }) => text).join(""),
  };
}

/** With no more rows than these, nothing is folded. */
const OPEN_ROWS = 40;

function head(difference: Difference): string {
  const { project, stack, failed } = difference;
  const dangers = danger(allResources(difference));
  const notes = [...(failed ? [FAILED] : []), ...(dangers ? [dangers] : [])];
  return `### ${code(`${shortName(project)}/${shortName(stack)}`)}: ${summary(difference)}\n${notes.map((note) => `\n**${note}**\n`).join("")}`;
}

/** Code in HTML, where Markdown means nothing. */
function html(text: string): string {
  const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  return `<code>${text.replace(/[&<>"]/g, (character) => escapes[character]!)}</code>`;
}

function messageSection({ severity, message, resource }: Diagnostic): Section {
  const lines = message.split("\n").map(visible);
  const title = `\n**${severity}**${resource === undefined ? "" : ` ${code(shortName(resource))}`}: `;
  const short = `${title}${code(shortName(lines[0]!, 200))}\n`;
  const whole = lines.length === 1 ? `${title}${code(lines[0]!)}\n` : `${title}\n\n${fence("", lines)}`;
  return { about: "message", weight: 1, levels: levels([short, "line", RANKS.message], [whole, "all", RANKS.wholeMessage]) };
}

/** Maximum number of targets that the heading of a group names. The block names the others. */
const NAMES = 12;

function targetSection({ names: all, difference, resources }: TargetGroup, open: boolean): Section {
  const { kind } = difference;
  const names = all.map((name) => shortName(name));
  const many = names.length > NAMES;
  const some = many ? `${names.slice(0, 3).map(html).join(", ")} … ${html(names.at(-1)!)}` : names.map(html).join(", ");
  const dangers = danger(resources);
  const title = `${names.length > 1 ? `${plural(names.length, kind)} ` : `${kind} `}${some}: ${rowsText(difference.counts, nounOf(kind))}${dangers ? `; <strong>${dangers}</strong>` : ""}${names.length > 1 ? "; in each" : ""}`;
  const block = (body: string) => `\n<details${open ? " open" : ""}><summary>${title}</summary>\n\n${body}\n</details>\n`;
  const every = many ? [`@@ ${kind}s ${names.join(" ")} @@`] : [];
  const rows = (lengths: typeof WHOLE) =>
    block(fence("diff", [...every, ...resources.flatMap((resource) => resourceLines(resource, kind, lengths)).map(lineText)]));
  return {
    about: "target",
    weight: names.length,
    levels: targetLevels(dangers !== undefined, {
      line: `\n<p>${title}</p>\n`,
      counts: block(fence("", [...every, ...countLines(resources, kind)])),
      clipped: rows(CLIPPED),
      all: rows(WHOLE),
    }),
  };
}

/** Marks that highlighters of diffs colour: hunks, and "!" for a line that changes. */
function lineText({ mark, depth, text }: Line): string {
  if (mark === "#") return `@@ ${text} @@`;
  return `${mark === "~" ? "!" : mark}${"  ".repeat(depth - 1)} ${text}`;
}

function intentSections({ intents }: Difference): Section[] {
  return intents.map((intent, index) => ({
    about: "intent",
    weight: 1,
    levels: levels([`${index === 0 ? "\n" : ""}- ${code(`${INTENT_MARKS[intent.operation]} ${intentText(intent)}`)}\n`, "all", RANKS.other]),
  }));
}

function judgedSections({ judged = [] }: Difference): Section[] {
  return judgedLines(judged).map(({ mark, text }, index) => ({
    about: "intent",
    weight: 1,
    levels: levels([`${index === 0 ? "\n" : ""}- ${mark === "!" ? `**${code(text)}**` : code(text)}\n`, "all", RANKS.message]),
  }));
}

function otherSections({ others }: Difference): Section[] {
  return otherLines(others).map(({ lines: { operation, text }, weight }, index) => ({
    about: "resource",
    weight,
    levels: levels([`${index === 0 ? "\n" : ""}- ${code(text)}\n`, "all", RANKS.other - (danger([{ operation }]) ? 2 : 0)]),
  }));
}
