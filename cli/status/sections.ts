import type { Connections } from "@pulumi-ovn/provider/targets";
import type { StackState } from "../stack-state";
import { type Seen, seenBy } from "./section";
import { vpcSection } from "./vpc/section";

/** What a status consists of, in this order. */
export const sections: readonly ((state: StackState, targets: Connections) => Promise<Seen | undefined>)[] = [(state, targets) => seenBy(vpcSection, state, targets)];
