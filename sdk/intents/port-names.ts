import type { Intents } from "@pulumi-ovn/provider";

/** Ports of workloads in intents that are not called like their workload, by workload: lists of members have ports only. */
export function portNamesOf({ workloads = {} }: { readonly workloads?: object }, intents: Intents): Record<string, unknown> | undefined {
  const used = new Set(Object.values(intents).flatMap(({ from, to }) => [...from, ...(typeof to === "string" ? [] : to)]));
  const named = Object.entries(workloads as Readonly<Record<string, { readonly portName?: unknown }>>).flatMap(([name, { portName }]) =>
    used.has(name) && portName !== undefined && portName !== name ? [[name, portName] as const] : [],
  );
  return named.length === 0 ? undefined : Object.fromEntries(named);
}
