import { formatIp, type Intent, parseIp } from "@pulumi-ovn/provider";
import type { Answer, Question } from "../types";

/** Judgement of an intent at one time. */
export type Judgement = { readonly kind: "holds" } | { readonly kind: "broken" | "unknown"; readonly why: string };

/** Effect of a plan on an intent. `broken` fails the command; `broken-before` was broken before the plan, too. */
export type IntentVerdict = "holds" | "mended" | "broken" | "broken-before" | "unknown";

/** Pure. The first pair that is not as intended decides, then the first that is not known. */
export function judged(intent: Intent, zones: Readonly<Record<string, string>>, answers: readonly (readonly [Question, Answer])[]): Judgement {
  const all = answers.map(([question, answer]) => judgedPair(intent, zones, question, answer));
  return all.find(({ kind }) => kind === "broken") ?? all.find(({ kind }) => kind === "unknown") ?? { kind: "holds" };
}

/** Pure. @param before undefined: the network or a workload of the intent did not exist */
export function verdictOf(before: Judgement | undefined, after: Judgement): IntentVerdict {
  if (after.kind === "unknown") return "unknown";
  if (after.kind === "holds") return before?.kind === "broken" ? "mended" : "holds";
  return before?.kind === "broken" ? "broken-before" : "broken";
}

function judgedPair({ reach, sourceAddress, byNode }: Intent, zones: Readonly<Record<string, string>>, question: Question, answer: Answer): Judgement {
  const pair = pairText(question);
  const { there, back } = answer;
  if (answer.reach === undefined) return { kind: "unknown", why: `${pair}: ${answer.unknowns.at(-1) ?? "not known"}` };
  if (answer.reach !== reach) return { kind: "broken", why: `${pair}: ${reach ? lossOf(there, back) : arrivalOf(there)}` };
  if (sourceAddress !== undefined && !sourceAddress.some((address) => formatIp(parseIp(address)) === there.source))
    return { kind: "broken", why: `${pair}: source address ${there.source}` };
  if (byNode === undefined || there.outcome.kind === "unknown") return { kind: "holds" };
  const { zone } = there.outcome;
  if (byNode.some((node) => zones[node] === zone)) return { kind: "holds" };
  const node = Object.keys(zones).find((name) => zones[name] === zone) ?? zone;
  return { kind: "broken", why: `${pair}: leaves by ${node}` };
}

function pairText({ from, to, family, protocol }: Question): string {
  const sender = from.kind === "workload" ? from.name : from.network;
  const receiver = to.kind === "workload" ? to.name : to.address;
  return `${sender} to ${receiver}, ${protocol.name === "icmp" ? "icmp" : `${protocol.name} port ${protocol.port}`}, IPv${family}`;
}

function lossOf(there: Answer["there"], back: Answer["back"]): string {
  const lost = [there, back].findIndex((path) => path?.outcome.kind === "lost");
  const outcome = [there, back][lost]?.outcome;
  if (outcome?.kind !== "lost") return "it arrives elsewhere";
  return `${lost === 1 ? "the reply is lost: " : ""}${outcome.why}`;
}

function arrivalOf({ outcome }: Answer["there"]): string {
  if (outcome.kind === "delivered") return `delivered in ${outcome.zone}`;
  return outcome.kind === "outside" ? `leaves by ${outcome.zone}` : "it arrives";
}
