import { announcementText } from "../../simulate/report/announcements";
import { omissionText } from "../../simulate/report/omissions";
import { bridgeText, groupText, impactText, LIMITS, type Report, summaryOf, TITLES } from "../../simulate/report/report";
import { levels, RANKS, type Section } from "./document";

const MARKS = { lost: "-", gained: "+", otherwise: "~", unknown: " " } as const;

/** A format's line. The first one follows an empty line. */
export type EffectLine = (mark: string, text: string) => string;

/**
 * Pure. Effects of a change on packets, in one line each: connections first, then announcements, logical flows, and what is not known.
 * @param name a name from the stack in the format
 */
export function effectSections(report: Report | undefined, name: (text: string) => string, line: EffectLine): Section[] {
  if (report === undefined) return [];
  const { effects, announcements, impact, flows, omissions, unknowns } = report;
  const unknown = [...omissions.map((omission) => omissionText(omission, name)), ...unknowns.map(name), ...(effects.length > 0 ? [LIMITS] : [])];
  const section = (text: string, rank: number): Section => ({ about: "effect", weight: 1, levels: levels([text, "all", rank]) });
  return [
    section(`\n${line("#", summaryOf(report))}`, RANKS.message),
    ...effects.map((group) => section(line(MARKS[group.kind], `${TITLES[group.kind]}: ${groupText(group, name)}`), RANKS.message)),
    ...announcements.map((each) => section(line(" ", `Announcements: ${announcementText(each, name)}`), RANKS.message)),
    ...impact.map((each) => section(line(" ", `Logical flows: ${impactText(each, name)}`), RANKS.other)),
    ...flows.map((each) => section(line(" ", `Flows of hosts: ${bridgeText(each, name)}`), RANKS.other)),
    ...unknown.map((text) => section(line(" ", `Not known: ${text}`), RANKS.other)),
  ];
}
