import type { HostState, Problem } from "@pulumi-ovn/provider/agent";
import { planAstray } from "./astray";
import { planFrr } from "./frr/plan";
import { planKernel } from "./kernel/plan";
import { withoutPeers } from "./kernel/routes";
import type { LiveHost } from "./live";
import type { Plan } from "./steps";
import { planFlows } from "./switch/flows";
import { planPorts } from "./switch/ports";

/**
 * Pure. How the host becomes what is desired, and nothing that is not the agent's changes.
 *
 * A route is what draws packets here, so it comes when the whole way behind it is there, and goes before any of that: nothing
 * is ever announced that leads nowhere. What takes the place of something comes before the old goes: a device that lost its
 * last IPv4 address, even for a moment, would lose all its routes, and a table without its rule all its packets. The way goes
 * last, when nothing leads into it; the fabric may still send for a moment, which is better delivered than not.
 *
 * A VRF device comes before all of it, so that nothing is half made where a kernel has none.
 *
 * Before it is known whom FRR has sessions with, no route comes, as it might lead these away; nobody announces it then, either.
 */
export function plan(desired: HostState, live: LiveHost): Plan {
  const ports = live.ports ? planPorts(desired.taggedPorts, live.ports) : { made: [], removed: [], problems: [] };
  const peers: Problem[] = [];
  const wanted = { ...desired, routes: withoutPeers(desired.routes, live.peers ?? [], peers) };
  const kernel = planKernel(wanted, live.kernel, new Set(ports.made.map(({ subject }) => subject)), live.ports?.bridges ?? []);
  const flows = planFlows(live.flows);
  const frr = planFrr(desired, live.frr);
  const astray = planAstray(wanted, live.kernel.routes, live.astray);
  // What is announced already stays so: the problem says what to do.
  const announced = desired.bgp && kernel.shared.has(desired.bgp.table) ? [] : frr.made;
  const { vrf } = kernel;
  const routes = live.peers ? [...kernel.routes.made, ...vrf.ready] : [];
  // What waits for a VRF device may wait long; what is gone is withdrawn all the same.
  const gone = new Set(vrf.problem || vrf.made.length > 0 ? kernel.gone : []);
  const problems = [...live.problems, ...ports.problems, ...peers, ...kernel.problems, ...flows.problems, ...frr.problems, ...astray.problems];
  if (vrf.problem) return { steps: [...gone], problems, after: undefined };
  return {
    steps: [
      ...gone,
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
      ...kernel.routes.removed.filter((step) => !gone.has(step)),
      ...kernel.rules.removed,
      ...flows.removed,
      ...kernel.proxies.removed,
      ...kernel.neighbors.removed,
      ...kernel.addresses.removed,
      ...ports.removed,
      ...vrf.removed,
      ...astray.made,
    ],
    problems,
    after: live.peers && { routes: kernel.routes.after, neighbors: kernel.neighbors.after },
  };
}
