import { code } from "../../diff/render/code";
import { judgedLines } from "../../diff/render/intents";
import { visible } from "@pulumi-ovn/provider/tools";
import { announcementText } from "./announcements";
import { omissionText } from "./omissions";
import { bridgeText, groupText, impactText, LIMITS, type Report, summaryOf, TITLES } from "./report";

type Section = readonly [title: string, lines: readonly string[]];

/** Pure. */
export function textReport(report: Report): string {
  const sections = sectionsOf(report, visible).map(([title, lines]) => `\n${title}\n${lines.map((line) => `  ${line}\n`).join("")}`);
  return `${visible(report.project)}/${visible(report.stack)}: ${summaryOf(report)}\n${sections.join("")}`;
}

/** Pure. For the comment of a pull request. Texts from the stack are code, in which neither Markdown nor HTML has a meaning. */
export function markdownReport(report: Report): string {
  const sections = sectionsOf(report, code).map(([title, lines]) => `\n**${title}**\n\n${lines.map((line) => `- ${line}\n`).join("")}`);
  return `### ${code(`${report.project}/${report.stack}`)}: ${summaryOf(report)}\n${sections.join("")}`;
}

function sectionsOf(report: Report, name: (text: string) => string): Section[] {
  const kinds = ["lost", "gained", "otherwise", "unknown"] as const;
  const all: Section[] = [
    ["Intents", judgedLines(report.intents).map(({ text }) => name(text))],
    ...kinds.map((kind): Section => [TITLES[kind], report.effects.filter((group) => group.kind === kind).map((group) => groupText(group, name))]),
    ...furtherSections(report, name),
  ];
  return all.filter(([, lines]) => lines.length > 0);
}

/** Sections after the intents and the effects. */
export function furtherSections(report: Report, name: (text: string) => string): Section[] {
  return [
    ["Announcements", report.announcements.map((announcement) => announcementText(announcement, name))],
    ["Logical flows", report.impact.map((impact) => impactText(impact, name))],
    ["Flows of hosts", report.flows.map((impact) => bridgeText(impact, name))],
    [
      "Not known",
      [...report.omissions.map((omission) => omissionText(omission, name)), ...report.unknowns.map(name), ...(report.effects.length > 0 ? [LIMITS] : [])],
    ],
  ];
}
