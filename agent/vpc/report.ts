import type { Problem } from "@pulumi-ovn/provider/agent";
import { byCode, counter, gauge, type Metric, prometheusText, secondsSince } from "../daemon/prometheus";
import type { Work } from "../daemon/loop";
import type { ResourceState } from "./round";
import type { VpcRound } from "./vpc-round";

/** Body of `/healthz` of a VPC's agent. */
export interface VpcHealth {
  /** The host has what its last updates wrote, and no fallback is in force. */
  readonly healthy: boolean;
  readonly resources: readonly ResourceState[];
  readonly problems: readonly Problem[];
  /** Since when the agent waits for an update in progress, or works. */
  readonly busySince: string | null;
  readonly lastRound: string | null;
  /** When something was last restored, and how much in all. */
  readonly lastChange: string | null;
  readonly changes: number;
}

const time = (at: number | undefined): string | null => (at === undefined ? null : new Date(at).toISOString());

/** Pure. */
export function vpcHealth({ last, startedAt, lastChange, counters: { changes } }: Work<VpcRound>): VpcHealth {
  const problems = last?.problems ?? [];
  return {
    healthy: last !== undefined && problems.length === 0,
    resources: last?.resources ?? [],
    problems,
    busySince: time(startedAt),
    lastRound: time(last?.at),
    lastChange: time(lastChange),
    changes,
  };
}

/** Pure. */
export function vpcMetrics(work: Work<VpcRound>, now: number): string {
  const { healthy, resources, problems } = vpcHealth(work);
  const since = (name: string, help: string, at: number | undefined): Metric[] => (at === undefined ? [] : [gauge(name, help, secondsSince(at, now))]);
  return prometheusText("pulumi_ovn_vpc_agent_", [
    gauge("healthy", "1: the host has what its last updates wrote, and no fallback is in force.", Number(healthy)),
    gauge("resources", "Resources that the agent restores.", resources.length),
    gauge("fallbacks", "Logical routers that a broken tunnel has disabled.", resources.filter(({ fallback }) => fallback !== null).length),
    { name: "problems", type: "gauge", help: "What keeps the host from being as it should, by code (docs/reference/errors.md).", values: byCode(problems) },
    counter("rounds_total", "Rounds: the last updates compared with the host, and restored.", work.counters.rounds),
    counter("round_failures_total", "Rounds that left something undone.", work.counters.failures),
    counter("changes_total", "Rows and bridges that were restored, and fallbacks.", work.counters.changes),
    ...since("seconds_busy", "Since the round in progress began; it waits for an update that is in progress.", work.startedAt),
    ...since("seconds_since_last_round", "Since the last round began.", work.last?.at),
    ...since("seconds_since_last_change", "Since something was last restored.", work.lastChange),
  ]);
}
