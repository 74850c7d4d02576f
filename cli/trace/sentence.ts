import { described, type Packet } from "./packet";
import { LOOPS, type Outcome, type Route, type Segment, VIRTUAL_ROUTER } from "./route";
import type { AclDecision } from "./verdict";

/** Pure. Result for a packet, in one sentence. */
export function sentenceOf({ segments, virtualRouter, outcome }: Route, from: string, packet: Packet): string {
  const decided = segments.findLast(({ verdict }) => verdict.decisions.length > 0);
  const parts =
    outcome.kind === "dropped"
      ? [droppedText(segments.at(-1)!, virtualRouter)]
      : withEnd(
          [
            ...wayText(segments, virtualRouter, outcome),
            ...(decided === undefined || decided.verdict.router !== "routed" ? [] : [allowedText(decided.verdict.decisions)]),
          ],
          outcome,
        );
  return `${from} to ${packet.destination}, ${described(packet)}: ${parts.join(", ")}`;
}

function withEnd(way: readonly string[], outcome: Exclude<Outcome, { kind: "dropped" }>): string[] {
  const isAdverse = outcome.kind === "lost" || outcome.kind === "unknown";
  return [...way, `${isAdverse && way.length > 0 ? "and " : ""}${endText(outcome)}`];
}

function wayText(segments: readonly Segment[], virtualRouter: Route["virtualRouter"], outcome: Outcome): string[] {
  const routed = segments.find(({ verdict }) => verdict.router === "routed");
  if (routed !== undefined) return [`through the logical router of ${routed.host}`];
  if (outcome.kind === "outside") return [`to the virtual router of ${outcome.host}`];
  if (virtualRouter !== undefined) return [`through the virtual router of ${virtualRouter}, whose ACLs are not known here`];
  return outcome.kind === "delivered" && outcome.to !== VIRTUAL_ROUTER ? [`within tier ${segments[0]!.tier}`] : [];
}

function allowedText(decisions: readonly AclDecision[]): string {
  const rules = decisions.filter(({ number }) => number !== undefined);
  if (rules.length === 0) return "allowed by the end of its ACL lists";
  return `allowed by ${rules.map(ruleText).join(" and ")}`;
}

function ruleText({ number, direction, tier, list }: AclDecision): string {
  return `ACL ${number} of list "${list}" (${direction} of ${tier})`;
}

function droppedText({ host, port, verdict, steps, portSecurity }: Segment, virtualRouter: Route["virtualRouter"]): string {
  const last = verdict.decisions.at(-1);
  const after = virtualRouter !== undefined ? "through the virtual router, then " : "";
  if (verdict.router === "dropped" && last !== undefined) {
    return `${after}dropped on ${host} by ${last.number === undefined ? `the end of ACL list "${last.list}" (${last.direction} of ${last.tier})` : ruleText(last)}`;
  }
  if (portSecurity === "dropped") return `${after}dropped on ${host} by port security of ${port}: it has not the MAC or an address of its workload`;
  const flow = steps.at(-1);
  return `${after}dropped on ${host}${flow === undefined ? ": no flow matches" : ` by a flow of table ${flow.table}, priority ${flow.priority}, cookie ${flow.cookie}, or after it`}`;
}

function endText(outcome: Exclude<Outcome, { kind: "dropped" }>): string {
  switch (outcome.kind) {
    case "delivered":
      return `delivered to ${outcome.to} on ${outcome.host}`;
    case "outside":
      return "which routes it out of the VPC";
    case "lost":
      return `lost on ${outcome.host}${outcome.why === LOOPS ? ": " : ", which sends it by "}${outcome.why}`;
    case "unknown":
      return `not known from ${outcome.host} on: ${outcome.why}`;
  }
}
