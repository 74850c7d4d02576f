import { gauge, type Metric, prometheusText } from "@pulumi-ovn/agent";
import { type DriftedResource, type DriftReport, type Subject } from "./model";

/** Pure. Prometheus' text format, for the textfile collector of node_exporter. @param now seconds since 1970 */
export function driftMetrics({ project = "", stack = "", compared, drifted, skipped, failed }: DriftReport, now: number): string {
  const common = { project, stack };
  const single = (name: string, help: string, value: number): Metric => ({ ...gauge(name, help, value), values: [[labels(common), value]] });
  return prometheusText("pulumi_ovn_drift_", [
    single("compared_resources", "Resources that were compared with their targets.", compared - failed.length),
    single("drifted_resources", "Resources with a difference.", drifted.length),
    single("skipped_resources", "Resources with secret arguments, which were not compared.", skipped.length),
    single("failed_resources", "Resources that could not be compared.", failed.length),
    {
      name: "differences",
      type: "gauge",
      help: "Rows, flows and objects that differ from the last update.",
      values: drifted.map((resource) => [labels({ ...common, ...ofResource(resource) }), resource.parts.length]),
    },
    single("last_run_timestamp_seconds", "Time of this comparison.", now),
  ]);
}

function ofResource({ kind, name, target }: Subject | DriftedResource): Readonly<Record<string, string>> {
  return { target: target?.name ?? "", kind, name };
}

function labels(values: Readonly<Record<string, string>>): string {
  return `{${Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(",")}}`;
}

/** (Prometheus, "Exposition formats": label values) */
function escaped(value: string): string {
  return value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n");
}
