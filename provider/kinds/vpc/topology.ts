/** Hosts of the workloads and the virtual router of a VPC. */
export interface VpcPlaces {
  readonly workloads?: Readonly<Record<string, { readonly tier: string; readonly host: string }>>;
  readonly virtualRouter: { readonly host: string };
}

/** A VPC that knows its hosts, such as the component `Vpc`. */
export interface SpannedVpc {
  readonly hosts: readonly string[];
}

/** Hosts with a workload of the tier, sorted; the virtual router is in every tier. */
export function hostsOfTier(vpc: VpcPlaces, tier: string): string[] {
  return distinct([vpc.virtualRouter.host, ...Object.values(vpc.workloads ?? {}).flatMap((workload) => (workload.tier === tier ? [workload.host] : []))]);
}

/** Hosts that the VPC spans, sorted: those of its tiers together. Every one of them has the bridges of every tier. */
export function hostsOfVpc(vpc: VpcPlaces): string[] {
  return distinct([vpc.virtualRouter.host, ...Object.values(vpc.workloads ?? {}).map(({ host }) => host)]);
}

/** Names of the VPCs that span a host, sorted. */
export function vpcsOfHost(host: string, vpcs: Readonly<Record<string, VpcPlaces | SpannedVpc>>): string[] {
  return Object.entries(vpcs)
    .flatMap(([name, vpc]) => (("virtualRouter" in vpc ? hostsOfVpc(vpc) : vpc.hosts).includes(host) ? [name] : []))
    .sort();
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].sort();
}
