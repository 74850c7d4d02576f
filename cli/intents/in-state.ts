import { type Intents, intentsSchema } from "@pulumi-ovn/provider";

/** Types of components that can have intents, and what people call them. */
export const INTENT_NETWORKS: Readonly<Record<string, string>> = { "ovn:network:Layer2Network": "Layer2Network", "ovn:network:Vpc": "Vpc" };

/** Inputs of these components that only readers of intents need. */
export const INTENT_INPUTS: ReadonlySet<string> = new Set(["intents", "ports", "places"]);

/** A network with intents. */
export interface NetworkIntents {
  readonly kind: string;
  /** Name of its resource. */
  readonly network: string;
  readonly urn: string;
  readonly intents: Intents;
}

/** Pure. Intents of a component, from its inputs in a state or a preview. */
export function intentsOf(inputs: Readonly<Record<string, unknown>> | undefined): Intents {
  return intentsSchema.safeParse(inputs?.["intents"]).data ?? {};
}

/** Pure. The networks that have intents, by kind and name. */
export function intentsIn(
  resources: Iterable<{ readonly urn: string; readonly type: string; readonly inputs: Readonly<Record<string, unknown>> }>,
): NetworkIntents[] {
  return [...resources]
    .flatMap(({ urn, type, inputs }) => {
      const kind = Object.hasOwn(INTENT_NETWORKS, type) ? INTENT_NETWORKS[type] : undefined;
      const intents = intentsOf(inputs);
      return kind === undefined || Object.keys(intents).length === 0 ? [] : [{ kind, network: urn.split("::").slice(3).join("::"), urn, intents }];
    })
    .sort((a, b) => (JSON.stringify([a.kind, a.network]) < JSON.stringify([b.kind, b.network]) ? -1 : 1));
}
