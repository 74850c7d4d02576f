import type { Connections } from "@pulumi-ovn/provider/targets";
import type { StackState } from "../stack/stack-state";
import { bgpSection } from "./bgp/section";
import { intentSection } from "./intents/section";
import { type Look, type Seen, seenBy } from "./section";
import { vpcSection } from "./vpc/section";

/** Sections of a status, in this order. */
export const sections: readonly ((state: StackState, targets: Connections, look: Look) => Promise<Seen | undefined>)[] = [
  (state, targets, look) => seenBy(vpcSection, state, targets, look),
  (state, targets, look) => seenBy(bgpSection, state, targets, look),
  (state, targets, look) => seenBy(intentSection, state, targets, look),
];
