import type { Problem } from "@pulumi-ovn/provider/agent";
import type { SnapshotSource } from "../southbound/source";
import type { Convergence } from "./converging";
import type { Work } from "./loop";

/** Answer of `/healthz`. */
export interface Health {
  /** Everything that should be announced is. */
  readonly healthy: boolean;
  /** external_ids:system-id; null until the databases have been read. */
  readonly chassis: string | null;
  readonly problems: readonly Problem[];
  readonly connections: { readonly openvswitch: boolean; readonly southbound: boolean };
  readonly lastConverge: { readonly at: string; readonly seconds: number; readonly changed: number } | null;
  readonly lastChange: string | null;
  /** Destinations that the chassis should announce. */
  readonly announced: readonly string[];
}

/** Codes of problems that mean a missing connection. */
const SOUTHBOUND: ReadonlySet<string> = new Set(["OVN_AGENT_SOUTHBOUND", "OVN_AGENT_NO_REMOTE"]);
const OPENVSWITCH: ReadonlySet<string> = new Set(["OVN_AGENT_OPENVSWITCH"]);

/** @param problems of the source and of the last round */
export function healthOf(
  source: Pick<SnapshotSource, "current" | "problems">,
  { last, lastChange }: Pick<Work<Convergence>, "last" | "lastChange">,
  problems: readonly Problem[],
): Health {
  const snapshot = source.current();
  const isConnected = (codes: ReadonlySet<string>) => !source.problems().some(({ code }) => codes.has(code));
  return {
    healthy: last !== undefined && problems.length === 0,
    chassis: snapshot?.chassis.name ?? null,
    problems,
    connections: { openvswitch: snapshot !== null && isConnected(OPENVSWITCH), southbound: snapshot !== null && isConnected(SOUTHBOUND) },
    lastConverge: last ? { at: new Date(last.at).toISOString(), seconds: last.took / 1000, changed: last.changed } : null,
    lastChange: lastChange === undefined ? null : new Date(lastChange).toISOString(),
    announced: (last?.wanted.routes ?? []).map(({ destination }) => destination).sort(),
  };
}
