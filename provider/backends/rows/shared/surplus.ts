import type { DatabaseSchema } from "@pulumi-ovn/ovsdb-client";
import type { ResolvedContribution } from "./contributions";
import type { Snapshot } from "../database/row";
import { placeLabel } from "../lines/contributions";
import { markedPlaces } from "./marks";

/** A contribution that is no longer rendered. */
export type Placed = Omit<ResolvedContribution, "source">;

/** Equal for the same position. */
export function placeKey({ uuid, mark }: Pick<Placed, "uuid" | "mark">): string {
  return `${uuid} ${mark}`;
}

/** Contributions with the owner's mark left by an interrupted run. The value's origin is unknown, so it counts as the owner's. */
export function surplusContributions(known: readonly ResolvedContribution[], live: Snapshot, owner: string, schema: DatabaseSchema): Placed[] {
  const places = new Set(known.map(placeKey));
  const beside = new Map(known.flatMap((contribution) => (contribution.uuid === undefined ? [] : [[contribution.uuid, contribution] as const])));
  return [...beside].flatMap(([uuid, { table, source }]) =>
    markedPlaces(live.get(uuid) ?? {}, owner, schema, table)
      .map((marked): Placed => ({ ...marked, table, uuid, value: marked.value ?? "", label: placeLabel(source, marked) }))
      .filter((marked) => !places.has(placeKey(marked))),
  );
}
