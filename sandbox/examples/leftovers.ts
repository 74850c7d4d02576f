import { setTimeout as sleep } from "node:timers/promises";
import type { Sandbox } from "../lifecycle/sandbox";
import { upstream } from "../plan/layout";
import { CONVERGENCE } from "./checks";

/** NB_Global counts its own changes; the others say who may connect. */
const OF_THE_SERVER = ["NB_Global", "Connection", "SSL"];

const FRR_CONFIGURATIONS = "/apis/frrk8s.metallb.io/v1beta1/frrconfigurations";

/**
 * Lines of everything that stacks write: rows of the Northbound databases by table and UUID, entries for agents, chassis in the Southbound
 * databases, bridges of hosts and their mappings, FRRConfigurations and the routes that the upstream router learns from them.
 */
export async function contents(sandbox: Sandbox): Promise<string[]> {
  const all = sandbox.hosts.map(async ({ name, zone }) => {
    const run = async (...argv: string[]) => (await sandbox.exec(name, argv, { timeout: 60_000 })).stdout.split("\n").filter(Boolean);
    const bridges = [
      ...(await run("ovs-vsctl", "list-br")).map((bridge) => `Bridge ${bridge}`),
      ...(await run("ovs-vsctl", "get", "Open_vSwitch", ".", "external_ids:ovn-bridge-mappings")).map((mappings) => `ovn-bridge-mappings ${mappings}`),
    ];
    const rows =
      zone !== name
        ? []
        : [
            ...rowsOf(await run("sh", "-c", 'ovsdb-client --format=csv --no-headings dump "$OVN_NB_DB" OVN_Northbound')),
            ...(await run("ovn-nbctl", "get", "NB_Global", ".", "options")).flatMap((options) =>
              [...options.matchAll(/"(pulumi-ovn[^"]*)"=/g)].map(([, key]) => `NB_Global options:${key}`),
            ),
            ...(await run("ovn-sbctl", "--bare", "--columns=name", "list", "Chassis")).map((chassis) => `Chassis ${chassis}`),
          ];
    return [...rows, ...bridges].map((line) => `${name}: ${line}`);
  });
  return (await Promise.all([...all, announcements(sandbox)])).flat().sort();
}

/** FRRConfigurations of a sandbox with Kubernetes, and prefixes that the upstream router's kernel has from BGP. */
async function announcements(sandbox: Sandbox): Promise<string[]> {
  if (sandbox.targets.clusters === undefined) return [];
  const { items } = (await sandbox.cluster.must("GET", FRR_CONFIGURATIONS)) as { items: { metadata: { namespace: string; name: string } }[] };
  const tables = await Promise.all(["-4", "-6"].map((family) => sandbox.exec(upstream, ["ip", family, "route", "show", "proto", "bgp"], { timeout: 60_000 })));
  return [
    ...items.map(({ metadata: { namespace, name } }) => `cluster: FRRConfiguration ${namespace}/${name}`),
    ...tables.flatMap(({ stdout }) => [...stdout.matchAll(/^\S+/gm)].map(([prefix]) => `${upstream}: route ${prefix}`)),
  ];
}

/** Differences from an earlier listing, once there are no more, or {@link CONVERGENCE} has passed: daemons clean up chassis rows and routes. */
export async function leftovers(sandbox: Sandbox, before: readonly string[]): Promise<string[]> {
  for (const end = performance.now() + CONVERGENCE; ; await sleep(100)) {
    const differs = difference(before, await contents(sandbox));
    if (differs.length === 0 || performance.now() > end) return differs;
  }
}

/** Differences between two listings: `+ line` was added, `- line` removed. */
export function difference(before: readonly string[], after: readonly string[]): string[] {
  return [
    ...after.filter((line) => !before.includes(line)).map((line) => `+ ${line}`),
    ...before.filter((line) => !after.includes(line)).map((line) => `- ${line}`),
  ];
}

/** Table and UUID of each row of a dump. */
function rowsOf(dump: readonly string[]): string[] {
  const rows: string[] = [];
  let table = "";
  for (const line of dump) {
    table = /^(\w+) table$/.exec(line)?.[1] ?? table;
    const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/.exec(line)?.[0];
    if (uuid !== undefined && !OF_THE_SERVER.includes(table)) rows.push(`${table} ${uuid}`);
  }
  return rows;
}
