import { SEVERAL_NEXT_HOPS, SEVERAL_ROUTERS } from "@pulumi-ovn/cli/testing";
import { protocolText } from "@pulumi-ovn/cli/testing";
import type { Compared } from "@pulumi-ovn/cli/testing";
import type { Answer, SimulateQuestion as Question } from "@pulumi-ovn/cli/testing";
import type { Reply } from "./senders";

/** Comparison of simulated connections with sent ones. */
export interface Agreement {
  readonly pairs: number;
  /** Connections that arrive and are answered, of those that agree. */
  readonly reached: number;
  readonly agreed: number;
  /** Connections whose answer is not known, by the reason. */
  readonly unknown: Readonly<Record<string, number>>;
  readonly disagreements: readonly string[];
}

/** Pure. Compares answers with what packets did. */
export function agreementOf(sent: readonly (readonly [Compared, Reply])[], namespaces: ReadonlyMap<string, string>): Agreement {
  const unknown: Record<string, number> = {};
  const disagreements: string[] = [];
  let reached = 0;
  for (const [{ question, after }, reply] of sent) {
    if (after.reach === undefined) {
      const why = after.unknowns.at(-1) ?? "not known";
      unknown[why] = (unknown[why] ?? 0) + 1;
      continue;
    }
    const [simulated, seen] = [simulatedText(question, after, namespaces), seenText(question, reply, after, namespaces)];
    if (simulated !== seen) disagreements.push(`${textOf(question)}: simulated ${simulated}, sent ${seen}`);
    else if (after.reach) reached++;
  }
  const unknowns = Object.values(unknown).reduce((sum, count) => sum + count, 0);
  return { pairs: sent.length, reached, agreed: sent.length - unknowns - disagreements.length, unknown, disagreements };
}

function textOf({ from, source, to, protocol, family }: Question): string {
  return `${from.kind === "workload" ? from.name : `outside at ${from.zone}`} ${source} > ${to.kind} ${to.address}, ${protocolText(protocol)} IPv${family}`;
}

/** Receiver and source address are compared if one backend can answer. */
function simulatedText({ protocol, from }: Question, { reach, there, unknowns }: Answer, namespaces: ReadonlyMap<string, string>): string {
  if (!reach) return "lost";
  if (protocol.name === "icmp" || isChosen({ there, unknowns })) return "answered";
  const { outcome } = there;
  const receiver = outcome.kind === "delivered" ? (namespaces.get(outcome.port) ?? outcome.port) : "ext";
  return from.kind === "workload" || outcome.kind === "delivered" ? `answered by ${receiver} to ${there.source}` : "answered";
}

/** Whether packets can take several ways. */
const isChosen = ({ there, unknowns }: Pick<Answer, "there" | "unknowns">): boolean =>
  there.backends.length > 1 || [SEVERAL_NEXT_HOPS, SEVERAL_ROUTERS].some((each) => unknowns.includes(each));

function seenText({ to }: Question, reply: Reply, answer: Answer, namespaces: ReadonlyMap<string, string>): string {
  if (reply === null) return "lost";
  const [receiver, source] = reply.split(" ");
  if (reply === "") return "answered";
  // Another workload has the same address.
  if (to.kind === "workload" && receiver !== namespaces.get(to.name)) return "lost";
  return isChosen(answer) ? "answered" : `answered by ${receiver} to ${source}`;
}
