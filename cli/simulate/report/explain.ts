import { CommandError } from "../../command";
import { didYouMean, listed, visible } from "@pulumi-ovn/provider/tools";
import { fromText, protocolText, toText } from "../questions/text";
import { originOf, type RowNames } from "./names";
import type { Compared } from "../questions/compared";
import type { Connection } from "../questions/questions";
import type { Answer, Outcome, Path, Step } from "../types";

/** Number of names that an error lists. */
const LISTED = 10;

/** Pure. Questions about packets from one end to the other, as the names of effects have them. */
export function questionsBetween<Asked extends Connection>(asked: readonly Asked[], from: string, to: string): Asked[] {
  const known = (texts: readonly string[], name: string, what: string) => {
    const names = [...new Set(texts)];
    if (names.includes(name)) return;
    const others = listed(
      names.map((each) => JSON.stringify(each)),
      LISTED,
    );
    throw new CommandError("OVN_USAGE", `no packet is simulated ${what} ${JSON.stringify(name)}${didYouMean(name, names) || `; known: ${others}`}`);
  };
  known(
    asked.map(({ after }) => fromText(after)),
    from,
    "from",
  );
  const sent = asked.filter(({ after }) => fromText(after) === from);
  known(
    sent.map(({ after }) => toText(after)),
    to,
    `from ${JSON.stringify(from)} to`,
  );
  return sent.filter(({ after }) => toText(after) === to);
}

/** Pure. Paths of packets before and after the plan. */
export function explanation(compared: readonly Compared[], names: RowNames): string {
  return compared
    .map(({ question, before, after }) => {
      const title = visible(`${fromText(question)} to ${toText(question)}, ${protocolText(question.protocol)} IPv${question.family}`);
      const [old, wanted] = [answerText(before, names), answerText(after, names)];
      return old === wanted ? `${title}\n${wanted}` : `${title}, before\n${old}\n${title}, after\n${wanted}`;
    })
    .join("\n");
}

function answerText({ reach, there, back, unknowns }: Answer, names: RowNames): string {
  const result = reach === undefined ? "not known" : reach ? "reaches" : "does not reach";
  const paths = [pathText("first packet", there, names), ...(back ? [pathText("reply", back, names)] : [])];
  return `${paths.join("")}  ${[result, ...unknowns.map((why) => `not known: ${visible(why)}`)].join("\n  ")}\n`;
}

function pathText(title: string, { steps, outcome, source, destination }: Path, names: RowNames): string {
  const hops = [...Map.groupBy(steps.entries(), ([index, step]) => sectionAt(steps, index, step)).values()];
  const lines = hops.flatMap((hop) => {
    const [, first] = hop[0]!;
    return [
      `    ${first.zone}, ${first.datapath}, ${first.pipeline}`,
      ...hop.flatMap(([, step]) => {
        const row = originOf(step, names);
        return row === undefined ? [] : [`      ${step.stage}: ${step.match}, priority ${step.priority}: ${row}`];
      }),
    ];
  });
  return `  ${title}\n${[...lines, `    ${outcomeText(outcome)}, from ${source} to ${destination}`].map((line) => `${visible(line)}\n`).join("")}`;
}

export function outcomeText(outcome: Outcome): string {
  switch (outcome.kind) {
    case "delivered":
      return `delivered to ${outcome.port} in ${outcome.zone}`;
    case "outside":
      return `leaves to physical network ${outcome.network} in ${outcome.zone}`;
    case "lost":
      return `lost: ${outcome.why}`;
    case "unknown":
      return `not known: ${outcome.why}`;
  }
}

/** Number of the pipeline run that a step belongs to. */
function sectionAt(steps: readonly Step[], index: number, step: Step): number {
  let section = 0;
  for (let at = 1; at <= index; at++) {
    const [last, now] = [steps[at - 1]!, at === index ? step : steps[at]!];
    if (last.zone !== now.zone || last.datapath !== now.datapath || last.pipeline !== now.pipeline) section++;
  }
  return section;
}
