import type { Path, Question, Step } from "../types";

/** Such a packet of TCP or ICMP is invalid for conntrack. */
const NOT_SEEN = "conntrack sees the reply and has not seen the first packet";
const BEGINS = `${NOT_SEEN}, so the reply begins a connection`;

/**
 * Pure. The reply, lost where conntrack of the sender's or the receiver's port sees it and has not seen the first packet, as after an ACL
 * with the action "allow-stateless". ovn-trace(8) has one state for all ports.
 */
export function asTracked<Back extends Path>({ from, protocol }: Pick<Question, "from" | "protocol">, there: Path, back: Back): Back {
  const [sender, receiver] = [there.steps[0], back.steps[0]];
  const missed = [
    ...(receiver !== undefined && there.outcome.kind === "delivered" && !isTracked(there, receiver, "egress") && isTracked(back, receiver, "ingress")
      ? [receiver]
      : []),
    ...(sender !== undefined && from.kind === "workload" && !isTracked(there, sender, "ingress") && isTracked(back, sender, "egress") ? [sender] : []),
  ][0];
  if (missed === undefined) return back;
  return { ...back, outcome: protocol.name === "udp" ? { kind: "unknown", why: BEGINS } : { kind: "lost", zone: missed.zone, why: NOT_SEEN } };
}

/** Whether the port at the beginning (ingress) or at the end (egress) of a path, in the datapath of a step, sends the packet to conntrack. */
function isTracked({ steps }: Path, at: Step, pipeline: Step["pipeline"]): boolean {
  const isOf = (step: Step) => step.zone === at.zone && step.datapath === at.datapath && step.pipeline === pipeline;
  const ordered = pipeline === "ingress" ? steps : steps.toReversed();
  const end = ordered.findIndex((step) => !isOf(step));
  // ovn-trace does not print the default flow of this table.
  return ordered.slice(0, end < 0 ? undefined : end).some(({ stage, priority }) => stage.endsWith("_pre_stateful") && priority > 0);
}

/**
 * Pure. The reply, lost where it does not pass a router, or conntrack of a switch, that has translated the destination of the first packet:
 * it arrives from another address than the one that the sender has sent to.
 */
export function asTranslatedBack<Back extends Path>({ to }: Pick<Question, "to">, there: Path, back: Back): Back {
  if (there.destination === to.address || back.outcome.kind === "lost" || back.outcome.kind === "unknown") return back;
  const balanced = there.steps.find(({ stage, priority }) => stage === "ls_in_lb" && priority > 0);
  if (balanced !== undefined && !isTracked(back, balanced, "egress")) {
    const why = `the reply does not pass conntrack of ${balanced.datapath}, which has translated the destination`;
    return { ...back, outcome: { kind: "lost", zone: balanced.zone, why } };
  }
  const translators = there.steps.filter(({ stage, priority }) => stage === "lr_in_dnat" && priority > 0);
  const missed = translators.find(({ zone, datapath }) => !back.steps.some((step) => step.zone === zone && step.datapath === datapath));
  if (missed === undefined) return back;
  return { ...back, outcome: { kind: "lost", zone: missed.zone, why: `the reply does not pass ${missed.datapath}, which has translated the destination` } };
}
