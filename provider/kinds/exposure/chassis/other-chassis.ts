import type { AgentExposure } from "../agent/exposure";
import type { Candidate } from "./candidates/candidate";
import { candidatesOf } from "./candidates/candidates";
import { exposuresHere, readableIn } from "./exposures";
import { unplacedFloatingIPs } from "./candidates/floating-ips";
import type { Link } from "./link";
import { Memo } from "./memo";
import { rowIndexOf } from "./row-index";
import type { Snapshot } from "./snapshot/snapshot";
import { ChassisModel } from "./chassis-model";

/** Replaces the link to a provider network, which only a chassis's host knows. */
const SOME_LINK: Link = { device: "", bridge: "", mac: "", tag: null, patch: "", index: 0 };

/** Another chassis of the zone. */
export interface OtherChassis {
  readonly name: string;
  readonly model: ChassisModel;
  /** Exposures that name the chassis. */
  readonly exposures: readonly AgentExposure[];
}

/** Pure. Other chassis that exposures name. */
export function otherChassis(snapshot: Snapshot): OtherChassis[] {
  return Object.entries(snapshot.otherChassis).flatMap(([uuid, name]): OtherChassis[] => {
    const there = { ...snapshot, chassis: { name, uuid }, unreadable: {} };
    const { exposures } = exposuresHere(there);
    return exposures.length === 0 ? [] : [{ name, exposures, model: new ChassisModel(there, { of: () => SOME_LINK }) }];
  });
}

/**
 * Pure. Routes that the other chassis of the zone announce, as far as the databases say, each with the name of its chassis. A
 * floating IP whose workload is not in the snapshot counts wherever that is; its name is empty.
 */
export function announcedElsewhere(snapshot: Snapshot): ReadonlyMap<Candidate, string> {
  const rows = rowIndexOf(snapshot);
  const byChassis = found.of([rows, snapshot.exposures], () => new Map());
  const placed = otherChassis(snapshot).flatMap(({ name, model, exposures }) => {
    const candidates = byChassis.get(name) ?? candidatesOf(model, exposures);
    byChassis.set(name, candidates);
    return candidates.map((candidate) => [candidate, name] as const);
  });
  const unplaced = readableIn(snapshot).flatMap((exposure) => unplacedFloatingIPs(rows, exposure, SOME_LINK));
  return new Map([...placed, ...unplaced.map((candidate) => [candidate, ""] as const)]);
}

/** Values by chassis, for snapshots of several chassis that share their rows. */
const found = new Memo<Map<string, readonly Candidate[]>>();
