import type { Canonical } from "./printed/canonical";
import { writtenFlow, type Difference, type PrintedFlow } from "./printed/difference";
import type { Ports } from "./printed/ports";

/** A flow that is wanted, and what the switch has instead of it. */
export interface WantedFlow {
  readonly flow: PrintedFlow;
  /** Ours, with other actions. */
  readonly own: PrintedFlow | undefined;
  /** Flow of another cookie with the same table, priority and match. */
  readonly foreign: PrintedFlow | undefined;
  /** Which of the desired flows it is, where that is known. */
  readonly index?: number;
}

/** How a bridge differs from what is wanted of one cookie. */
export interface BridgeDifference {
  readonly wanted: readonly WantedFlow[];
  /** Ours, and not wanted. */
  readonly surplus: readonly PrintedFlow[];
  /** Ports of the bridge, if all its flows have usual forms. */
  readonly ports?: Ports;
}

/**
 * Pure. Real differences among textual ones: texts can differ that mean the same to a switch (`mod_dl_src:M` is returned as
 * `set_field:M->eth_src`).
 *
 * @param canonical forms of the wanted flows, in their order
 * @param same actions of a printed flow in canonical form
 */
export function differenceFor(
  cookie: string,
  { live, wanted }: Difference,
  canonical: readonly Canonical[],
  same: (actions: string) => string,
): BridgeDifference {
  const byRule = new Map(live.map((flow) => [flow.rule, flow]));
  const rules = new Set(wanted.map(({ rule }) => rule));
  return {
    wanted: wanted.flatMap((flow, index): WantedFlow[] => {
      const there = byRule.get(flow.rule);
      if (there === undefined || there.cookie !== cookie) return [{ flow, own: undefined, foreign: there }];
      const equal = there.extra === flow.extra && same(there.actions) === canonical[index]!.actions;
      return equal ? [] : [{ flow, own: there, foreign: undefined }];
    }),
    surplus: live.filter((flow) => flow.cookie === cookie && !rules.has(flow.rule)),
  };
}

/** Lines of a bundle (ovs-ofctl(8), "Flow Syntax"): flows that differ are added instead of the old ones. */
export function bundleOf(cookie: string, { wanted, surplus }: BridgeDifference): string[] {
  return [...surplus.map((flow) => removalOf(flow, cookie)), ...wanted.map(({ flow }) => `add ${writtenFlow(flow, cookie)}`)];
}

/** A line of a bundle: takes a flow of the cookie away. */
export function removalOf({ rule }: PrintedFlow, cookie: string): string {
  return ["delete_strict", rule, `cookie=${cookie}/-1`].filter(Boolean).join(" ");
}

/** A line of a bundle: a flow as the program has it, instead of an old one. */
export function additionOf(text: string, cookie: string): string {
  return `add cookie=${cookie},${text}`;
}

/** Whether a bridge only loses flows: such bridges go first, in the reverse order. */
export function inOrderOfChange<T extends { readonly difference: BridgeDifference }>(bridges: readonly T[]): T[] {
  const loses = ({ difference }: T) => difference.wanted.length === 0;
  return [...bridges.filter(loses).reverse(), ...bridges.filter((bridge) => !loses(bridge))];
}
