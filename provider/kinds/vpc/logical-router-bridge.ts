import { defineKind } from "../define";
import { setTimeout as sleep } from "node:timers/promises";
import type { BridgeFlowList } from "../../backends/flows/set";
import type { AgentPart } from "../../backends/host/set";
import type { HostRendered } from "../../backends/host/kind";
import { listed } from "../../backends/host/lines/broken";
import { reachableInterfaces } from "../../backends/host/live/reachable";
import type { World } from "../../backends/contract/kind";
import { sortedEntries } from "../../kit/entries";
import { brokenMesh, type HostInterfaces, lacksBridge, type MeshFacts, sessionPatience } from "./mesh";
import { routerBridge, routerPatch, tierBridge, tierPatch, tunnelPort } from "./names";
import { type LogicalRouterBridgeSpec, logicalRouterBridgeSchema } from "./router-args";
import { checkRouter } from "./router-check";
import { type Routes, routesOf } from "./routes";
import { joinWait, leaveWait } from "./session-wait";
import { bridgeRow, portRows } from "./rows";
import { VPC_LABEL } from "./vpc-bridges";

/** No frame is in this VLAN (IEEE 802.1Q reserves it), so NORMAL never floods to a port of it. */
const NO_VLAN = 4_095;

const DISABLED = "the logical router is disabled, and packets go through the virtual router";

/** Milliseconds between two looks at BFD sessions that are not up. */
const PAUSE = 250;

/** Maximum milliseconds of a wait in a preview: only an earlier update or a restarted switch may have started sessions. */
const PREVIEW = 2_000;

/**
 * Returns also tunnel ends on other hosts, which this host's database does not have; only for hosts that can be reached.
 * Waits for BFD sessions that are not up: the same update may have created or repaired them. All resources of a VPC have one deadline.
 */
async function observe({ host, vpc, tiers, remotes, enabled }: LogicalRouterBridgeSpec, { targets, signal, preview = false }: World): Promise<MeshFacts> {
  if (!enabled) return {};
  const mesh = { host, tiers, remotes };
  const look = async (hosts: readonly string[]): Promise<ReadonlyMap<string, HostInterfaces>> =>
    new Map(await Promise.all(hosts.map(async (name) => [name, await reachableInterfaces(targets, name, vpc)] as const)));
  const wait = joinWait(targets, JSON.stringify([vpc, preview]));
  let patience = 0;
  const isFinal = (found: ReadonlyMap<string, HostInterfaces>): boolean => {
    patience = sessionPatience(mesh, found);
    return performance.now() - wait.startedAt >= (preview ? Math.min(patience, PREVIEW) : patience);
  };
  try {
    for (;;) {
      // Its own ends first: they show most sessions, and a VPC has many hosts.
      if (isFinal(await look([host]))) {
        const all = await look([host, ...remotes]);
        if (isFinal(all)) return brokenMesh(mesh, all);
      }
      await sleep(PAUSE, undefined, { signal });
    }
  } finally {
    leaveWait(wait, patience === 0);
  }
}

function render(args: LogicalRouterBridgeSpec, broken: MeshFacts = {}): HostRendered {
  const { host, vpc, tiers, remotes } = args;
  const routes = routesOf(args);
  // The router's bridge precedes the tiers. Why: docs/explanation/decisions/redirects-last.md
  const router = routes.router(args.mac);
  // Nothing can be put on a bridge that is not there.
  const there = (key: number) => !lacksBridge(broken, host, key);
  const bridge = routerBridge(vpc);
  const why = listed(Object.entries(broken));
  const enabled = args.enabled && why === "";
  return {
    rows: {
      database: "Open_vSwitch",
      rows: [
        ...bridgeRow(bridge, args.datapathType, { [VPC_LABEL]: vpc }),
        ...sortedEntries(tiers).flatMap(([tier, { key }]) => patchRows(args, tier, key, there(key))),
      ],
    },
    flows: { bridges: [router, ...tierFlows(args, routes, enabled, there)] },
    ...(enabled && {
      fallback: {
        // A preview does not need them, and a VPC has many.
        get interfaces() {
          const sorted = remotes.toSorted();
          return sortedEntries(tiers).flatMap(([, { key }]) => sorted.map((name) => tunnelPort(key, name)));
        },
        get flows() {
          return { bridges: [router, ...tierFlows(args, routes, false, there)] };
        },
        path: "remotes",
        what: DISABLED,
      },
    }),
    ...(args.agent && { agent: agentPart(args, broken) }),
    outputs: { bridge, state: enabled ? "enabled" : why === "" ? "disabled" : `fallback: ${why}` },
    ...(why !== "" && {
      warnings: [
        {
          path: "remotes",
          code: "OVN_WARN_FALLBACK",
          message: `${DISABLED}: ${why}; "pulumi up" makes missing ones again, and the update that finds all of them working enables it`,
        },
      ],
    }),
  };
}

/** Without BFD an agent sees only its own host: while a tunnel's other end is broken, the next update decides. */
function agentPart(args: LogicalRouterBridgeSpec, broken: MeshFacts): AgentPart {
  const all = Object.entries(broken);
  if (all.length === 0) return {};
  if (args.bfd) return { desired: render(args) };
  const elsewhere = listed(all.filter(([end]) => !end.startsWith(`${args.host} `)));
  return { desired: render(args), ...(elsewhere !== "" && { held: elsewhere }) };
}

function tierFlows({ tiers, mac }: LogicalRouterBridgeSpec, routes: Routes, enabled: boolean, there: (key: number) => boolean): BridgeFlowList[] {
  return sortedEntries(tiers).flatMap(([tier, { key }]) => (there(key) ? [routes.tiers[tier]![enabled ? "enabled" : "disabled"](mac)] : []));
}

/** @param whole whether there is a bridge for the port on the other side; the router's own port stays, because its flows name it */
function patchRows({ vpc }: LogicalRouterBridgeSpec, tier: string, key: number, whole: boolean) {
  const labels = { [VPC_LABEL]: vpc, tier };
  const [inner, outer] = [routerPatch(key), tierPatch(key)];
  return [
    ...portRows({ bridge: { table: "Bridge", key: routerBridge(vpc) }, name: inner, labels, interface: { type: "patch", options: { peer: outer } } }),
    ...(whole
      ? portRows({
          bridge: { name: tierBridge(key) },
          name: outer,
          labels,
          port: { tag: NO_VLAN, vlan_mode: "access" },
          interface: { type: "patch", options: { peer: inner } },
        })
      : []),
  ];
}

/** The logical router of a VPC on one host. */
export const logicalRouterBridge = defineKind({
  backend: "host",
  name: "LogicalRouterBridge",
  schema: logicalRouterBridgeSchema,
  observe,
  judge: checkRouter,
  render,
  outputs: ["bridge", "state"],
});
