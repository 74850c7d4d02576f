import { natural } from "../../diff/order";
import type { Cause, Effect, EffectKind } from "./effects";
import { protocolText } from "../questions/text";
import type { Question } from "../types";

/** Effects with the same traffic and cause, of all senders and receivers between which it is the same. */
export interface EffectGroup {
  readonly kind: EffectKind;
  readonly from: readonly string[];
  readonly to: readonly string[];
  /** Such as `icmp IPv4`, `tcp 22 IPv4 and IPv6`. */
  readonly packets: readonly string[];
  readonly cause: Cause;
  readonly differences: readonly string[];
}

/** Effects of one kind and cause on the packets between two ends. */
export interface EffectPair {
  readonly group: EffectGroup;
  readonly effects: readonly Effect[];
}

/** Pure. Effects by sender and receiver, in one order. */
export function pairsOf(effects: readonly Effect[]): EffectPair[] {
  const pairs = Map.groupBy(effects, ({ kind, senders, receivers, cause, differences }) => JSON.stringify([kind, cause, differences, senders, receivers]));
  return [...pairs.values()]
    .map((own): EffectPair => {
      const { kind, senders, receivers, cause, differences } = own[0]!;
      const packets = packetsOf(own.map((each) => each.question));
      return { group: { kind, from: senders, to: receivers, packets, cause, differences }, effects: own };
    })
    .sort((a, b) => natural(textOf(a.group), textOf(b.group)));
}

/** Pure. Effects in groups, in one order. */
export function groupsOf(effects: readonly Effect[]): EffectGroup[] {
  const bySender = pairsOf(effects).map(({ group }) => group);
  const merged = mergedBy(mergedBy(bySender, "to"), "from");
  return merged.sort((a, b) => natural(textOf(a), textOf(b)));
}

/** Groups that differ only in one field, as one. */
function mergedBy(groups: readonly EffectGroup[], field: "from" | "to"): EffectGroup[] {
  const same = Map.groupBy(groups, (group) => JSON.stringify({ ...group, [field]: [] }));
  return [...same.values()].map((all) => ({ ...all[0]!, [field]: [...new Set(all.flatMap((group) => group[field]))].sort(natural) }));
}

const textOf = ({ kind, from, to, packets }: EffectGroup): string => [kind, from.join(), to.join(), packets.join()].join(" ");

function packetsOf(questions: readonly Question[]): string[] {
  const families = Map.groupBy(questions, ({ protocol }) => protocolText(protocol));
  return [...families].map(([protocol, all]) => `${protocol} ${[...new Set(all.map(({ family }) => `IPv${family}`))].sort().join(" and ")}`).sort(natural);
}
