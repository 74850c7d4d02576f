import { listed } from "../../kit/text/listed";
import type { IntentSpec } from "./args";

/** Maximum number of workloads that a text names. */
const NAMED = 4;

/** Pure. An intent as people read it: `web1 reaches db1, tcp port 5432`. */
export function intentText(spec: IntentSpec, reach: boolean): string {
  const { from, to, protocol, port, family } = spec;
  return [
    `${endText(from)} ${reach ? "reaches" : "does not reach"} ${endText(to)}`,
    ...(protocol === "icmp" ? [] : [`${protocol} port ${port}`]),
    ...(family === undefined ? [] : [`IPv${family}`]),
    ...(spec.sourceAddress === undefined ? [] : [`as ${asList(spec.sourceAddress).join(" or ")}`]),
    ...(spec.byNode === undefined ? [] : [`by ${asList(spec.byNode).join(" or ")}`]),
  ].join(", ");
}

function endText(end: IntentSpec["to"]): string {
  if (typeof end === "string") return end;
  if (Array.isArray(end)) return listed(end, NAMED);
  if ("address" in end) return end.address;
  const labels = Object.entries(end.labels).map(([key, value]) => `${key}=${value}`);
  return labels.length === 0 ? "every workload" : labels.sort().join(",");
}

export const asList = (value: string | readonly string[]): readonly string[] => (typeof value === "string" ? [value] : value);
