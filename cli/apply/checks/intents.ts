import type { Connections } from "@pulumi-ovn/provider/targets";
import { liveIntents } from "../../simulate/live/intents";
import type { StackState } from "../../stack/stack-state";
import type { Check } from "./check";

/** Intents of the stack's networks, judged by copies of the live databases. An intent that can't be judged raises no complaint. */
export function intentsCheck(state: () => Promise<StackState>, targets: Connections): Check {
  return {
    title: "intents",
    complaints: async () =>
      (await liveIntents(await state(), targets))
        .filter(({ verdict }) => verdict === "broken")
        .map(({ kind, network, intent, why = "" }) => ({ subject: `intent of ${kind} ${network}: ${intent}`, problem: why })),
  };
}
