import type { HostState, Problem } from "@pulumi-ovn/provider/agent";
import { planAnnouncements } from "./frr/announcements";
import { planFrr } from "./frr/plan";
import { planKernel } from "./kernel/plan";
import { withoutPeers } from "./kernel/routes";
import type { LiveHost } from "./live";
import type { Plan } from "./steps";
import { planFlows } from "./switch/flows";
import { planPorts } from "./switch/ports";

/**
 * Pure. Plans the steps to the desired state. Only the agent's own objects change.
 *
 * A route attracts packets. So it is added after the complete path behind it, and removed before any part of this path: the host
 * never announces a route that leads nowhere. A replacement is added before the old object is removed: a device that lost its last
 * IPv4 address, even for a moment, would lose all its routes, and a table without its rule would lose all its packets. The path is
 * removed last, when no route uses it. The fabric may still send packets for a moment, and these are delivered.
 *
 * A VRF device is added first, so that nothing is half made if the kernel does not support VRFs.
 *
 * No route is added until FRR's sessions are known, because a route might divert them. FRR does not announce routes then, either.
 */
export function plan(desired: HostState, live: LiveHost): Plan {
  const ports = live.ports ? planPorts(desired.taggedPorts, live.ports) : { made: [], removed: [], problems: [] };
  const peers: Problem[] = [];
  const wanted = { ...desired, routes: withoutPeers(desired.routes, live.peers ?? [], peers) };
  const kernel = planKernel(wanted, live.kernel, new Set(ports.made.map(({ subject }) => subject)), live.ports?.bridges ?? []);
  const flows = planFlows(live.flows);
  const frr = planFrr(desired, live.frr);
  const announcements = planAnnouncements(wanted, live.kernel.routes, live.announcementErrors);
  // Existing announcements stay: the problem contains the remedy.
  const announced = desired.bgp && kernel.shared.has(desired.bgp.table) ? [] : frr.made;
  const { vrf } = kernel;
  const routes = live.peers ? [...kernel.routes.made, ...vrf.ready] : [];
  // Objects may wait long for a VRF device. Removed routes are withdrawn anyway.
  const removals = new Set(vrf.problem || vrf.made.length > 0 ? kernel.removals : []);
  const problems = [...live.problems, ...ports.problems, ...peers, ...kernel.problems, ...flows.problems, ...frr.problems, ...announcements.problems];
  if (vrf.problem) return { steps: [...removals], problems, after: undefined };
  return {
    steps: [
      ...removals,
      ...vrf.made,
      ...ports.made,
      ...kernel.links,
      ...kernel.sysctls,
      ...kernel.addresses.made,
      ...kernel.neighbors.made,
      ...kernel.proxies.made,
      ...flows.made,
      ...kernel.rules.made,
      ...routes,
      ...announced,
      ...frr.removed,
      ...kernel.routes.removed.filter((step) => !removals.has(step)),
      ...kernel.rules.removed,
      ...flows.removed,
      ...kernel.proxies.removed,
      ...kernel.neighbors.removed,
      ...kernel.addresses.removed,
      ...ports.removed,
      ...vrf.removed,
      ...announcements.made,
    ],
    problems,
    after: live.peers && { routes: kernel.routes.after, neighbors: kernel.neighbors.after, proxies: kernel.proxies.after },
  };
}
