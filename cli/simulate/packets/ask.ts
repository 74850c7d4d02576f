import { type Entry, entryOf, outsideEntry, SEVERAL_ROUTERS, workloadEntry, workloadIn } from "./entry";
import { follow, type Followed } from "./follow";
import { ASSUMED_MAC } from "../zones/prepare";
import type { RunTrace } from "./traces";
import { asTracked, asTranslatedBack } from "./tracked";
import { followTranslated, RIVALS, type TranslatedReply } from "./translated-reply";
import type { Answer, Path, Question } from "../types";
import type { World } from "../zones/world";

/** ovn-controller has flows for such packets that are not in the Southbound database. */
const HAIRPIN = "a load balancer sends the packet back to its sender";

const SOURCE = "the source address of the reply outside";
export const SEVERAL_NEXT_HOPS = "of several next hops (ECMP), the first one is followed";

/** Match of the tables for several next hops that a packet with one next hop meets. */
const NO_CHOICE = "reg8[0..15] == 0";

/** Answers a question: follows the first packet of the connection, and the reply. */
export async function ask(world: World, run: RunTrace, question: Question): Promise<Answer> {
  return withUndecided(world, await answerOf(world, run, question));
}

/** The answer with what its packets depend on and the simulation does not have. */
function withUndecided({ zones }: World, answer: Answer): Answer {
  const paths = [answer.there, ...(answer.back ? [answer.back] : [])];
  if (paths.some(({ steps }) => steps.some(({ hasRivals }) => hasRivals))) return { ...answer, reach: undefined, unknowns: [...answer.unknowns, RIVALS] };
  const met = [...zones.values()].flatMap(({ undecided }) => undecided).filter(({ isMet }) => paths.some(isMet));
  if (met.length === 0) return answer;
  const [open, assumed] = [true, false].map((wanted) => met.filter(({ isMet, isOpen }) => paths.some((path) => isMet(path) && isOpen(path)) === wanted));
  const unknowns = [...answer.unknowns, ...assumed!.map(({ why }) => why), ...open!.map(({ why }) => why)];
  return { ...answer, reach: open!.length > 0 ? undefined : answer.reach, unknowns: [...new Set(unknowns)] };
}

async function answerOf(world: World, run: RunTrace, question: Question): Promise<Answer> {
  const entry = entryOf(world, question);
  if (typeof entry === "string") return { reach: false, there: nowhere(question, entry), back: undefined, unknowns: [] };
  const there = await follow(world, run, entry);
  const { outcome } = there;
  if (outcome.kind === "unknown") return { reach: undefined, there, back: undefined, unknowns: [outcome.why] };
  if (there.backends.length > 0 && there.destination === question.source) return { reach: undefined, there, back: undefined, unknowns: [HAIRPIN] };
  if (!arrives(question, there)) return { reach: false, there, back: undefined, unknowns: [] };
  const unknowns = [...(entry.assumption === undefined ? [] : [entry.assumption]), ...unknownsOf(world, there)];
  if (outcome.kind === "delivered" && there.source !== question.source)
    return translatedAnswer(await followTranslated(world, run, question, there), question, there, unknowns);
  const reply = replyEntry(world, question, there);
  if (typeof reply === "string") return { reach: true, there, back: undefined, unknowns: [...unknowns, reply] };
  // Only the router that has seen the first packet translates the reply back.
  if (reply.assumption === SEVERAL_ROUTERS) return { reach: undefined, there, back: undefined, unknowns: [...unknowns, SEVERAL_ROUTERS] };
  const back = asTranslatedBack(question, there, asTracked(question, there, await follow(world, run, reply)));
  if (back.outcome.kind === "unknown") return { reach: undefined, there, back, unknowns: [...unknowns, back.outcome.why] };
  if (question.from.kind !== "outside" || question.to.kind !== "workload") return { reach: returns(question, back), there, back, unknowns };
  // No gateway tracks a connection to a workload's own address: the reply leaves as a first packet does, with the source that this gets.
  const untracked = await follow(world, run, { ...reply, packet: { ...reply.packet, way: "there" } });
  if (back.outcome.kind !== "outside") return { reach: false, there, back, unknowns };
  if (untracked.outcome.kind !== "outside") return { reach: undefined, there, back, unknowns: [...unknowns, SOURCE] };
  return { reach: untracked.source === question.to.address, there, back: untracked, unknowns };
}

/** Whether the packet ends at the receiver: the workload, any workload behind a published address, or a physical network. */
function arrives({ to }: Question, { outcome }: Path): boolean {
  if (outcome.kind === "delivered") return to.kind === "published" || (to.kind === "workload" && outcome.port === to.name);
  return outcome.kind === "outside" && to.kind === "outside";
}

function returns({ from }: Question, { outcome }: Path): boolean {
  return from.kind === "workload" ? outcome.kind === "delivered" && outcome.port === from.name : outcome.kind === "outside";
}

/** Entry of the reply, or the reason why it is not followed. */
function replyEntry(world: World, { family, protocol, source }: Question, { outcome, packet }: Followed): Entry | string {
  const headers = { family, protocol, way: "back", source: packet.destination, port: packet.port } as const;
  // The gateway that has translated the source translates it back before it routes the reply.
  if (outcome.kind === "outside") {
    const facts = world.zones.get(outcome.zone)!;
    const router = facts.gateways.find(({ mac }) => mac === packet.ethSource)?.router;
    return outsideEntry(facts, outcome.network, { ...headers, destination: source }, router);
  }
  if (outcome.kind !== "delivered" || workloadIn(world, outcome.port) === undefined) return "the reply of a host is not followed";
  return workloadEntry(world, outcome.port, { ...headers, destination: source });
}

function translatedAnswer(reply: TranslatedReply, question: Question, there: Path, unknowns: readonly string[]): Answer {
  switch (reply.kind) {
    case "followed":
      if (reply.back.outcome.kind === "unknown") return { reach: undefined, there, back: reply.back, unknowns: [...unknowns, reply.back.outcome.why] };
      return { reach: returns(question, reply.back), there, back: reply.back, unknowns };
    case "unknown":
    case "assumed":
      return { reach: reply.kind === "unknown" ? undefined : true, there, back: undefined, unknowns: [...unknowns, reply.why] };
  }
}

function unknownsOf({ isLive }: World, { outcome, backends, packet, steps }: Followed): string[] {
  return [
    ...(steps.some(({ stage, match }) => stage.endsWith("_ecmp") && match !== NO_CHOICE) ? [SEVERAL_NEXT_HOPS] : []),
    ...(isLive && outcome.kind === "outside" && packet.ethDestination === ASSUMED_MAC
      ? [`zone ${outcome.zone} has no MAC binding of the next hop on physical network ${outcome.network}; the next hop is assumed to answer`]
      : []),
    ...(backends.length > 1 ? ["only the first backend of the load balancer is followed"] : []),
    ...(outcome.kind === "outside" ? ["routing, neighbours and firewalls outside of OVN are assumed to pass packets"] : []),
  ];
}

function nowhere({ source, to }: Question, why: string): Path {
  return { steps: [], outcome: { kind: "lost", zone: "", why }, source, destination: to.address, backends: [] };
}
