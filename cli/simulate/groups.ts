import { natural } from "../diff/order";
import type { Cause, Effect, EffectKind } from "./effects";
import type { Protocol, Question } from "./types";

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

/** Pure. Effects in groups, in one order. */
export function groupsOf(effects: readonly Effect[]): EffectGroup[] {
  const bySender = [
    ...Map.groupBy(effects, ({ kind, question, cause, differences }) =>
      JSON.stringify([kind, cause, differences, fromText(question), toText(question)]),
    ).values(),
  ].map((group): EffectGroup => {
    const { kind, question, cause, differences } = group[0]!;
    return { kind, from: [fromText(question)], to: [toText(question)], packets: packetsOf(group.map((each) => each.question)), cause, differences };
  });
  const merged = mergedBy(mergedBy(bySender, "to"), "from");
  return merged.sort((a, b) => natural(textOf(a), textOf(b)));
}

/** Groups that differ only in one member, as one. */
function mergedBy(groups: readonly EffectGroup[], member: "from" | "to"): EffectGroup[] {
  const same = Map.groupBy(groups, (group) => JSON.stringify({ ...group, [member]: [] }));
  return [...same.values()].map((all) => ({ ...all[0]!, [member]: all.flatMap((group) => group[member]).sort(natural) }));
}

const textOf = ({ kind, from, to, packets }: EffectGroup): string => [kind, from.join(), to.join(), packets.join()].join(" ");

export function fromText({ from }: Question): string {
  return from.kind === "workload" ? from.name : `outside, at ${from.zone}`;
}

export function toText({ to }: Question): string {
  if (to.kind === "workload") return to.name;
  return to.kind === "outside" ? "outside" : to.address;
}

export function protocolText(protocol: Protocol): string {
  return protocol.name === "icmp" ? "icmp" : `${protocol.name} ${protocol.port}`;
}

function packetsOf(questions: readonly Question[]): string[] {
  const families = Map.groupBy(questions, ({ protocol }) => protocolText(protocol));
  return [...families].map(([protocol, all]) => `${protocol} ${[...new Set(all.map(({ family }) => `IPv${family}`))].sort().join(" and ")}`).sort(natural);
}
