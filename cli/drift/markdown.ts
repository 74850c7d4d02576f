import { code, fence } from "../diff/render/code";
import { visible } from "@pulumi-ovn/provider/tools";
import type { DriftReport } from "./model";
import { headline, notes, targetTexts } from "./text";

/** Pure. For an issue or a comment: the lines of each target are a diff with colours. */
export function driftMarkdown(report: DriftReport): string {
  const targets = targetTexts(report).map((text) => {
    const [target, ...lines] = text.split("\n");
    // A sign at the beginning of a line has a colour.
    return `**${code(target!)}**\n\n${fence(
      "diff",
      lines.map((line) => line.replace(/^ {2}([-+])/, "$1")).map((line) => line.replace(/^ {2}~/, "!")),
    )}`;
  });
  const quotes = notes(report).map((note) => `> ${code(visible(note))}\n`);
  return [`### ${headline(report)}\n`, ...targets, ...quotes].join("\n");
}
