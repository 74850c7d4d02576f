import { summarize, type LabelledRow, type RowLines, type RowWords } from "../rows/lines";
import { flowLabel, type FlowText } from "./flow-text";

/** A flow to show; without actions it is not there. */
export interface ShownFlow {
  readonly bridge: string;
  readonly flow: FlowText;
  readonly actions: string | undefined;
}

/** One line for each flow; past as many as fit, a count and a digest for each table of each bridge. */
export function flowLines(flows: readonly ShownFlow[]): RowLines {
  const shown = flows.map(({ bridge, flow, actions }): LabelledRow => {
    return { table: `${bridge} table=${flow.table.padStart(3)}`, label: flowLabel(bridge, flow), words: actions === undefined ? undefined : wordsOf(actions) };
  });
  return summarize(shown, "flows");
}

/** Long actions are cut into parts that Pulumi shows whole, after their commas. */
const LONG = 120;

function wordsOf(actions: string): RowWords {
  const text = `actions=${actions}`;
  return [["actions", text.length <= LONG ? [text] : text.match(/[^,]*(?:,|$)/g)!.filter((part) => part !== "")]];
}
