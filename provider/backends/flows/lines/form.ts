import type { BridgeFlowList } from "../set";
import { tableTexts } from "../lines";
import { digestText, type FlowText, inLineOrder, parseFlow } from "../set/text";

/** Placeholder in flows of a form, as long as a MAC; no name or address contains it. */
export const WORD = "<a.MAC.of.a.host>";

/** A text with positions for a word. */
type Gaps = readonly string[];

/** The flows of a bridge on the host that a word is of. */
export type FlowForm = (word: string) => BridgeFlowList;

interface FormFlow {
  readonly flow: FlowText;
  readonly text: Gaps;
  readonly rule: Gaps;
  /** As digests have it. */
  readonly line: Gaps;
}

/**
 * Pure. Flows of one bridge on many hosts, each with its own word, such as a MAC: parsed, sorted and written for lines and digests once, with
 * `WORD` as placeholder. So a preview of a host does not process them.
 */
export function flowForm(bridge: string, texts: readonly string[], fragments?: BridgeFlowList["fragments"]): FlowForm {
  const flows = texts
    .map((text) => ({ text, flow: parseFlow(text)! }))
    .sort((a, b) => inLineOrder(a.flow, b.flow))
    .map(({ text, flow }): FormFlow => ({ flow, text: gapsOf(text), rule: gapsOf(flow.rule), line: gapsOf(`${flow.rule} ${flow.actions}`) }));
  const form: BridgeFlowList = { bridge, flows: flows.map(({ text }) => filled(text, WORD)) };
  const digest = gapsOf(digestText(form));
  const tables = tableTexts(form).map((table) => ({ ...table, text: gapsOf(table.text) }));
  const fits = fitting(flows);
  return (word) => {
    const list = lazyList({ bridge, ...(fragments && { fragments }) }, () => flows.map(({ text }) => filled(text, word)));
    if (!fits(word)) return list;
    digestText.know(list, filled(digest, word));
    tableTexts.know(
      list,
      tables.map((table) => ({ ...table, text: filled(table.text, word) })),
    );
    return list;
  };
}

/** For which words lines come in the order of the form's, and what is long enough to be folded is so in the form. */
function fitting(flows: readonly FormFlow[]): (word: string) => boolean {
  const pairs = flows.slice(1).map((flow, index) => [flows[index]!, flow] as const);
  // Most are sorted equally for every word.
  const loose = pairs.filter(([one, next]) => one.rule.length > 1 || next.rule.length > 1 || `${next.flow.rule} `.startsWith(`${one.flow.rule} `));
  const moving = flows.filter(({ rule }) => rule.length > 1);
  const fits = (word: string) =>
    word.length === WORD.length &&
    loose.every(([one, next]) => filled(one.rule, word) < filled(next.rule, word) && filled(one.line, word) < filled(next.line, word)) &&
    moving.every(({ text, rule }) => parseFlow(filled(text, word))?.rule === filled(rule, word));
  return fits(WORD) ? fits : () => false;
}

/** Texts are created on demand; a preview does not need them. */
function lazyList(rest: Omit<BridgeFlowList, "flows">, write: () => readonly string[]): BridgeFlowList {
  let written: readonly string[] | undefined;
  return {
    ...rest,
    get flows() {
      return (written ??= write());
    },
  };
}

function gapsOf(text: string): Gaps {
  return text.split(WORD);
}

/** As `join`, which is slower: there are many of them, and mostly few words in each. */
function filled(parts: Gaps, word: string): string {
  if (parts.length > 10) return parts.join(word);
  let text = parts[0]!;
  for (let index = 1; index < parts.length; index++) text += word + parts[index]!;
  return text;
}
