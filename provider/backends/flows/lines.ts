import { memo } from "../../kit/memo/memo";
import { countLine, type LabelledRow, MOST_LINES, type RowLines, summarize } from "../rows/lines";
import type { BridgeFlowList, FlowSet } from "./set";
import { bridgeLines, flowLabel, type FlowText, lineOrder, parsedFlows } from "./set/text";

/** A flow to show; without actions it is not there. */
export interface ShownFlow {
  readonly bridge: string;
  readonly flow: FlowText;
  readonly actions: string | undefined;
}

/** Everything that a set writes; as `flowLines`, and faster where flows are counted. */
export function setFlowLines({ bridges }: FlowSet): RowLines {
  const tables = bridges.flatMap(tableTexts);
  if (tables.reduce((sum, { count }) => sum + count, 0) > MOST_LINES)
    return Object.fromEntries(tables.map((own) => [own.table, countLine(own.count, FLOWS, own.text)]));
  return flowLines(bridges.flatMap(shownFlows));
}

/** The lines of a table of a bridge, where there are too many to show. */
export interface TableText {
  readonly table: string;
  readonly count: number;
  readonly text: string;
}

export const tableTexts = memo((list: BridgeFlowList): readonly TableText[] => {
  const flows = parsedFlows(list);
  return [...Map.groupBy(lineOrder(list), (index) => flows[index]!.table)].map(([table, own]) => {
    const lines = own.map((index) => countedLine(flows[index]!));
    return { table: tableLabel(list.bridge, table), count: own.length, text: bridgeLines(list.bridge, lines) };
  });
});

/** A line counted by a digest. */
function countedLine({ rule, actions }: FlowText): string {
  const text = `actions=${actions}`;
  return `${rule} ${text.length <= LONG ? text : partsOf(text).join(" ")}`;
}

const tableLabel = (bridge: string, table: string): string => `${bridge} table=${table.padStart(3)}`;

function shownFlows(list: BridgeFlowList): ShownFlow[] {
  return parsedFlows(list).map((flow) => ({ bridge: list.bridge, flow: flow!, actions: flow!.actions }));
}

const FLOWS = "flows";

/** One line for each flow; past as many as fit, a count and a digest for each table of each bridge. */
export function flowLines(flows: readonly ShownFlow[]): RowLines {
  return summarize(labelled(flows), FLOWS);
}

function labelled(flows: readonly ShownFlow[]): LabelledRow[] {
  let last = { bridge: "", table: "", text: "" };
  const tableOf = (bridge: string, { table }: FlowText): string => {
    // The same text as before is found faster than one like it.
    if (last.bridge !== bridge || last.table !== table) last = { bridge, table, text: tableLabel(bridge, table) };
    return last.text;
  };
  return flows.map(({ bridge, flow, actions }): LabelledRow => {
    const row = { table: tableOf(bridge, flow), label: flowLabel(bridge, flow) };
    if (actions === undefined) return { ...row, words: undefined };
    const text = `actions=${actions}`;
    return text.length <= LONG ? { ...row, words: () => [["actions", [text]]], text } : { ...row, words: () => [["actions", partsOf(text)]] };
  });
}

/** Long actions are cut into parts that Pulumi shows whole, after their commas. */
const LONG = 120;

function partsOf(text: string): string[] {
  return text.match(/[^,]*(?:,|$)/g)!.filter((part) => part !== "");
}
