import { code } from "../../diff/render/code";
import { linesNow } from "../../diff/render/intents";
import { visible } from "@pulumi-ovn/provider/tools";
import type { JudgedIntent } from "../intents/results";

/** Intents of a stack on live databases. The JSON output has the same field names: docs/how-to/simulate.md documents them. */
export interface LiveReport {
  readonly project: string;
  readonly stack: string;
  readonly intents: readonly JudgedIntent[];
}

/** Pure. */
export const LIVE_FORMATS: Readonly<Record<"text" | "markdown" | "json", (report: LiveReport) => string>> = {
  text: (report) =>
    `${visible(nameOf(report))}: ${summaryOf(report)}\n${linesNow(report.intents)
      .map(({ mark, text }) => `${mark} ${visible(text)}\n`)
      .join("")}`,
  markdown: (report) =>
    `### ${code(nameOf(report))}: ${summaryOf(report)}\n\n${linesNow(report.intents)
      .map(({ text }) => `- ${code(text)}\n`)
      .join("")}`,
  json: (report) => `${JSON.stringify(report, undefined, 2)}\n`,
};

const nameOf = ({ project, stack }: LiveReport): string => `${project}/${stack}`;

function summaryOf({ intents }: LiveReport): string {
  const count = (wanted: JudgedIntent["verdict"]) => intents.filter(({ verdict }) => verdict === wanted).length;
  return `${count("broken")} of ${intents.length} intents broken, ${count("unknown")} not known, in the live databases`;
}
