import { formatIp, type IntentSubject, parseIp } from "@pulumi-ovn/provider";
import { isLater } from "../plain";

type Loose = Readonly<Record<string, unknown>>;

/** Subjects of intents of a layer-2 network. */
export function networkSubject({ workloads, nodes, subnets }: Loose): IntentSubject {
  return { workloads: workloadsOf(workloads), nodes: Object.keys(nodes as object), subnets: textsOf(subnets), decidesSource: true };
}

/** Subjects of intents of a VPC. @param hosts that it spans */
export function vpcSubject({ workloads, tiers }: Loose, hosts: readonly string[]): IntentSubject {
  const subnets = Object.values((tiers ?? {}) as Readonly<Record<string, Loose>>).flatMap(({ cidrs }) => textsOf(cidrs));
  return { workloads: workloadsOf(workloads), nodes: hosts, subnets, decidesSource: false };
}

function workloadsOf(workloads: unknown): IntentSubject["workloads"] {
  return Object.fromEntries(
    Object.entries((workloads ?? {}) as Readonly<Record<string, unknown>>).map(([name, workload]) => {
      const { addresses, labels } = (isLater(workload) ? {} : workload) as Loose;
      const texts = textsOf(addresses).map((address) => formatIp(parseIp(address)));
      return [name, { addresses: Array.isArray(addresses) && texts.length === addresses.length ? texts : undefined, labels: labelsOf(labels) }];
    }),
  );
}

const textsOf = (list: unknown): string[] => (Array.isArray(list) ? list.filter((text): text is string => typeof text === "string") : []);

const labelsOf = (labels: unknown): Record<string, string> =>
  typeof labels === "object" && labels !== null && !isLater(labels) ? (labels as Record<string, string>) : {};
