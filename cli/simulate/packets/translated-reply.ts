import { type Entry, outsideEntry, workloadEntry } from "./entry";
import { follow, type Followed } from "./follow";
import type { Packet } from "./packet";
import { asTracked } from "./tracked";
import type { RunTrace } from "./traces";
import type { Path, Question, Step } from "../types";
import type { World } from "../zones/world";

/** Reply to a translated source: the path that decides about it, or the reason why it is not known. */
export type TranslatedReply = { readonly kind: "followed"; readonly back: Path } | { readonly kind: "unknown" | "assumed"; readonly why: string };

/** Such a router translates the reply as the first packet of another connection. */
const FOREIGN = "the reply passes a router with translations that the first packet has not passed";
export const RIVALS = "several flows have the same priority and match, and a chassis uses any of them";
const NOT_FOLLOWED = "the reply is not followed back through the translation of its source";

/** Translation of the destination. */
const isRedirection = ({ stage, priority }: Step): boolean => (stage === "lr_in_dnat" || stage === "ls_in_lb") && priority > 0;
const isTranslation = ({ stage, priority }: Step): boolean => stage === "lr_out_snat" && priority > 0;

/**
 * Follows the reply to a translated source: from the receiver to the last router that has translated the source, and from the first one to
 * the sender.
 * @param there the first packet, delivered to a workload
 */
export async function followTranslated(world: World, run: RunTrace, question: Question, there: Followed): Promise<TranslatedReply> {
  const { family, protocol, source } = question;
  const { outcome, packet } = there;
  const translations = there.steps.filter(isTranslation);
  const [first, last] = [translations[0], translations.at(-1)];
  if (outcome.kind !== "delivered" || first === undefined || last === undefined) return { kind: "assumed", why: NOT_FOLLOWED };
  if (there.steps.some((step) => hasSeveralSources(world, step, packet.destination))) return { kind: "unknown", why: RIVALS };
  const headers = { family, protocol, way: "back" } as const;
  const entry = workloadEntry(world, outcome.port, { ...headers, source: packet.destination, destination: packet.source, port: packet.port });
  if (typeof entry === "string") return { kind: "assumed", why: NOT_FOLLOWED };
  const answered = await follow(world, run, entry);
  if (answered.outcome.kind === "unknown") return { kind: "unknown", why: answered.outcome.why };
  const back = asTracked(question, there, answered);
  if (back !== answered) return { kind: "followed", back };
  const arrival = back.steps.findIndex(({ zone, datapath }) => zone === last.zone && datapath === last.datapath);
  const before = arrival < 0 ? back.steps : back.steps.slice(0, arrival);
  if (before.some((step) => isForeign(world, step, there.steps))) return { kind: "unknown", why: FOREIGN };
  if (arrival < 0) return { kind: "unknown", why: NOT_FOLLOWED };
  const rest = leaving(world, first, { ...headers, ...replySourceAt(question, there, first), destination: source });
  if (rest === undefined) return { kind: "assumed", why: NOT_FOLLOWED };
  return { kind: "followed", back: asTracked(question, there, await follow(world, run, rest)) };
}

/** Whether a router that has translated the destination to an address translates this address, as a source, to several others. */
function hasSeveralSources({ zones }: World, { stage, priority, zone, datapath }: Step, address: string): boolean {
  if (stage !== "lr_in_dnat" || priority === 0) return false;
  return zones.get(zone)!.translations.filter(({ router, inside }) => router === datapath && inside === address).length > 1;
}

function isForeign({ zones }: World, { zone, datapath }: Step, passed: readonly Step[]): boolean {
  return zones.get(zone)!.translations.some(({ router }) => router === datapath) && !passed.some((each) => each.zone === zone && each.datapath === datapath);
}

/** Source and port of the reply where it returns to a router: destination and port of the first packet there. */
function replySourceAt({ to, protocol }: Question, { steps, packet }: Followed, router: Step): Pick<Packet, "source" | "port"> {
  const isAfter = steps.findIndex(isRedirection) > steps.indexOf(router);
  if (!isAfter) return { source: packet.destination, port: packet.port };
  return { source: to.address, port: protocol.name === "icmp" ? undefined : protocol.port };
}

/** The reply as it leaves the router that has translated its destination back: as if it came from the physical network. */
function leaving({ zones }: World, { zone, datapath }: Step, headers: Parameters<typeof outsideEntry>[2]): Entry | undefined {
  const facts = zones.get(zone)!;
  const switches = facts.gateways.filter(({ router }) => router === datapath).map((gateway) => gateway.switch);
  const external = facts.externals.find((each) => switches.includes(each.switch));
  const entry = external && outsideEntry(facts, external.network, headers, datapath);
  return typeof entry === "string" ? undefined : entry;
}
