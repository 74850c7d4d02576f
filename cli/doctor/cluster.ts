import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Finding, Findings } from "./finding";

const FRR = { apiVersion: "frrk8s.metallb.io/v1beta1", kind: "FRRConfiguration" } as const;

/** Verbs that a resource of objects needs. */
const VERBS = ["list", "create", "patch", "delete"] as const;

/** Findings about one cluster. */
export async function clusterFindings(targets: Connections, name: string): Promise<readonly Finding[]> {
  const findings = new Findings("cluster", name);
  try {
    const cluster = targets.cluster(name);
    findings.ok("api server", `Kubernetes ${await cluster.version()}`);
    await judgeRights(findings, cluster);
  } catch (error) {
    findings.problem("api server", (error as Error).message);
  }
  return findings.all;
}

async function judgeRights(findings: Findings, cluster: ReturnType<Connections["cluster"]>): Promise<void> {
  try {
    const allowed = await Promise.all(VERBS.map((verb) => cluster.may(verb, FRR)));
    const missing = VERBS.filter((_, index) => !allowed[index]);
    if (missing.length === 0) return findings.ok("rights", "may write FRRConfigurations in all namespaces");
    findings.note("rights", `may not ${missing.join(", ")} FRRConfigurations in all namespaces`, "RouteAdvertisement needs that in the namespace of frr-k8s");
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code !== "OVN_KIND_MISSING") return findings.problem("rights", message);
    findings.note("frr-k8s", "not installed", "RouteAdvertisement needs it");
  }
}
