import { type Family, matchString, parseIp } from "../../../kit/address";
import { GOES_WITH_ROUTER } from "../routing";
import { sortedEntries } from "../../../kit/entries";
import type { EgressRerouteSpec } from "./reroute-args";

/** A router that policies are on. */
export interface PolicyRouter {
  readonly router: string;
  /** Property of the arguments that its next hops are in. */
  readonly path: readonly PropertyKey[];
  readonly nextHops: Readonly<Record<string, readonly string[]>>;
  /** Whether workloads of other zones are rerouted, too. */
  readonly others: boolean;
  /** End of the keys of its rows. */
  readonly suffix: string;
  /** Beginning of its matches. */
  readonly condition: string;
  /** Entries of `external_ids` of its rows. */
  readonly marks: Readonly<Record<string, string>>;
}

/** The transit router first. */
export function policyRoutersOf({ router, nextHops, goWithRouter, gateway }: EgressRerouteSpec): PolicyRouter[] {
  const marks: PolicyRouter["marks"] = goWithRouter ? { [GOES_WITH_ROUTER.key]: GOES_WITH_ROUTER.value } : {};
  return [
    ...(router === undefined ? [] : [{ router, path: ["nextHops"], nextHops, others: true, suffix: "", condition: "", marks }]),
    ...(gateway
      ? [
          {
            router: gateway.router,
            path: ["gateway", "nextHops"],
            nextHops: gateway.nextHops,
            others: false,
            suffix: " gateway",
            condition: comingBy(gateway.inports),
            marks: {},
          },
        ]
      : []),
  ];
}

function comingBy(inports: readonly string[] = []): string {
  return inports.length === 0 ? "" : `inport == {${inports.map(matchString).join(", ")}} && `;
}

export type Hops = readonly (readonly [node: string, address: string])[];

/** Next hops of a workload's addresses of a family; none where the policyRouter does not lead it anywhere. */
export function hopsOf({ nextHops, others }: PolicyRouter, { workloads }: EgressRerouteSpec, workload: string, family: Family): Hops {
  const { through } = workloads[workload]!;
  if (through !== undefined && !others) return [];
  return sortedEntries(nextHops).flatMap(([node, hops]) => {
    if (through !== undefined && !through.includes(node)) return [];
    return hops.filter((hop) => parseIp(hop).family === family).map((hop) => [node, hop] as const);
  });
}

/** Addresses of a family with the names of their workloads. */
export function served({ workloads }: EgressRerouteSpec, family: Family): [workload: string, address: string][] {
  return sortedEntries(workloads).flatMap(([key, { addresses }]) =>
    addresses.filter((address) => parseIp(address).family === family).map((address): [string, string] => [key, address]),
  );
}
