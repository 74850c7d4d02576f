import { didYouMean } from "../../../kit/arguments/nearest";
import type { Failures } from "../../../kit/arguments/failures";
import type { ChassisByNode } from "./chassis";
import type { ResolvedWorkload } from "./resolve";

type At = (...path: PropertyKey[]) => string;

/** Checks the node and chassis of a workload, and the destination of its migration. */
export function checkLocation(zones: ChassisByNode, { node, chassis, migration }: ResolvedWorkload["spec"], at: At, failures: Failures): void {
  const from = zones.get(node);
  if (!from) failures.add(at("node"), "unknown-node", unknownNode(node, zones));
  else if (chassis !== undefined && !from.includes(chassis)) failures.add(at("chassis"), "unknown-chassis", unknownChassis(node, chassis, from));
  if (!migration) return;
  const to = zones.get(migration.to);
  if (!to) return failures.add(at("migration", "to"), "unknown-node", unknownNode(migration.to, zones));
  if (migration.chassis !== undefined && !to.includes(migration.chassis)) {
    return failures.add(at("migration", "chassis"), "unknown-chassis", unknownChassis(migration.to, migration.chassis, to));
  }
  if (migration.to !== node || (migration.chassis ?? to[0]) !== (chassis ?? to[0])) return;
  if (migration.chassis === undefined) failures.add(at("migration", "to"), "same-node", `the workload is on node "${node}" already`);
  else failures.add(at("migration", "chassis"), "same-chassis", `the workload is on chassis "${migration.chassis}" already`);
}

/** Message about a node that the network does not have. */
export function unknownNode(name: string, nodes: ReadonlyMap<string, unknown>): string {
  return `there is no node "${name}" in this network${didYouMean(name, [...nodes.keys()])}`;
}

function unknownChassis(node: string, chassis: string, known: readonly string[]): string {
  return `node "${node}" has no chassis "${chassis}"; it has ${known.join(", ")}${didYouMean(chassis, known)}`;
}
