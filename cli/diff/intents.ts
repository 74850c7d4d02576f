import { sameJson } from "@pulumi-ovn/provider/tools";
import { INTENT_INPUTS, INTENT_NETWORKS, intentsOf } from "../intents/in-state";
import type { IntentDifference, OtherDifference } from "./model";
import { sortedBy } from "./order";
import type { ResourceChange } from "../plan/steps";

const isNetwork = (type: string): boolean => Object.hasOwn(INTENT_NETWORKS, type);

/** Pure. Intents that are added, changed or removed. An intent changes if the same labels select other workloads. */
export function intentDifferences(changes: readonly ResourceChange[]): IntentDifference[] {
  const all = changes.flatMap(({ type, name, before, after }) => {
    if (!isNetwork(type)) return [];
    const [old, wanted] = [intentsOf(before?.inputs), intentsOf(after?.inputs)];
    return [...new Set([...Object.keys(old), ...Object.keys(wanted)])].flatMap((intent): IntentDifference[] => {
      const [had, has] = [Object.hasOwn(old, intent), Object.hasOwn(wanted, intent)];
      if (had && has && sameJson(old[intent], wanted[intent])) return [];
      return [{ network: name, kind: INTENT_NETWORKS[type]!, operation: had ? (has ? "change" : "remove") : "add", intent }];
    });
  });
  return sortedBy(all, ({ kind, network, intent }) => [kind, network, intent]);
}

/** Pure. Resources without rows, without networks of which only intents change. */
export function withoutIntents(others: readonly OtherDifference[]): OtherDifference[] {
  return others.flatMap((other) => {
    if (!isNetwork(other.type)) return [other];
    const properties = other.properties.filter((property) => !INTENT_INPUTS.has(property));
    return other.operation === "update" && properties.length === 0 ? [] : [{ ...other, properties }];
  });
}
