import type { Health } from "./health";
import type { Counters } from "./loop";
import { byCode, counter, gauge, type Metric, prometheusText, secondsSince } from "./prometheus";

/** Pure. */
export function metricsText(health: Health, counters: Counters, now: number): string {
  const since = (name: string, help: string, time: string | null): Metric[] => (time === null ? [] : [gauge(name, help, secondsSince(Date.parse(time), now))]);
  const metrics: Metric[] = [
    gauge("healthy", "1: everything that should be announced is.", Number(health.healthy)),
    gauge("routes_wanted", "Destinations that the chassis should announce.", health.announced.length),
    {
      name: "problems",
      type: "gauge",
      help: "What keeps the host from being as it should, by code (docs/reference/errors.md).",
      values: byCode(health.problems),
    },
    gauge("southbound_connected", "1: the Southbound database is followed.", Number(health.connections.southbound)),
    gauge("openvswitch_connected", "1: the host's Open vSwitch database is followed.", Number(health.connections.openvswitch)),
    counter("converges_total", "Rounds: desired state compared with the host and applied.", counters.rounds),
    counter("converge_failures_total", "Rounds that left something undone.", counters.failures),
    counter("converge_seconds_total", "Time that all rounds took.", counters.took / 1000),
    counter("changes_total", "Steps that changed the host.", counters.changes),
    ...since("seconds_since_last_converge", "Since the last round began.", health.lastConverge?.at ?? null),
    ...since("seconds_since_last_change", "Since a round last changed the host.", health.lastChange),
  ];
  return prometheusText("pulumi_ovn_agent_", metrics);
}
