import { summarize, type LabelledRow, type RowLines } from "../rows/lines";
import { flowLabel, type FlowText } from "./flow-text";

/** A flow to show; without actions it is not there. */
export interface ShownFlow {
  readonly bridge: string;
  readonly flow: FlowText;
  readonly actions: string | undefined;
}

/** One line for each flow; past as many as fit, a count and a digest for each table of each bridge. */
export function flowLines(flows: readonly ShownFlow[]): RowLines {
  let last = { bridge: "", table: "", text: "" };
  const tableOf = (bridge: string, { table }: FlowText): string => {
    // The same text as before is found faster than one like it.
    if (last.bridge !== bridge || last.table !== table) last = { bridge, table, text: `${bridge} table=${table.padStart(3)}` };
    return last.text;
  };
  const shown = flows.map(({ bridge, flow, actions }): LabelledRow => {
    const row = { table: tableOf(bridge, flow), label: flowLabel(bridge, flow) };
    if (actions === undefined) return { ...row, words: undefined };
    const text = `actions=${actions}`;
    return text.length <= LONG ? { ...row, words: () => [["actions", [text]]], text } : { ...row, words: () => [["actions", partsOf(text)]] };
  });
  return summarize(shown, "flows");
}

/** Long actions are cut into parts that Pulumi shows whole, after their commas. */
const LONG = 120;

function partsOf(text: string): string[] {
  return text.match(/[^,]*(?:,|$)/g)!.filter((part) => part !== "");
}
