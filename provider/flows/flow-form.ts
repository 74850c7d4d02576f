import type { BridgeFlowList } from "./flow-set";
import { type FlowText, inLineOrder, parseFlow, listOf } from "./flow-text";

/** Stands for the word in flows that a form is made of; no name and no address has it. */
export const WORD = "<word>";

interface FormFlow {
  /** Around the word. */
  readonly text: readonly string[];
  readonly flow: FlowText;
  /** Around the word; undefined where the match has it, too. */
  readonly actions: readonly string[] | undefined;
}

/**
 * Pure. Flows of one bridge that many hosts have, each with a word of its own, such as a MAC: parsed and put in order once, with
 * `WORD` in its place. They come in the order of their lines.
 */
export function flowForm(texts: readonly string[]): (bridge: string, word: string) => BridgeFlowList {
  const flows = texts.map((text): FormFlow => {
    const flow = parseFlow(text)!;
    return { text: text.split(WORD), flow, actions: flow.match.includes(WORD) ? undefined : flow.actions.split(WORD) };
  });
  flows.sort((a, b) => inLineOrder(a.flow, b.flow));
  return (bridge, word) => {
    const own = flows.map(({ text }) => text.join(word));
    return listOf(bridge, own, flows.map(({ flow, actions }, index) => {
      if (actions === undefined) return parseFlow(own[index]!)!;
      return actions.length === 1 ? flow : { ...flow, actions: actions.join(word) };
    }));
  };
}
