import type { Preview, State } from "../../plan/preview";
import { type VpcResource, vpcsIn, type VpcInState } from "../../vpc/model";

/** The VPCs of a stack before and after a plan. */
export interface VpcSides {
  readonly before: readonly VpcInState[];
  readonly after: readonly VpcInState[];
}

/** Pure. The VPCs of a preview that was made with `--show-sames`. */
export function vpcSides({ steps }: Pick<Preview, "steps">): VpcSides {
  const [before, after] = [new Map<string, VpcResource>(), new Map<string, VpcResource>()];
  for (const { urn, op, oldState, newState } of steps) {
    if (oldState && !oldState.delete) before.set(urn, resourceOf(urn, oldState));
    const goes = op.startsWith("delete") || op === "remove-pending-replace" || op === "discard-replaced";
    const next = newState ?? (goes ? undefined : oldState);
    // Outputs of components are not in previews. Those of the state hold where the component has not changed.
    if (next) after.set(urn, resourceOf(urn, { ...next, outputs: next.outputs ?? oldState?.outputs }));
  }
  return { before: vpcsIn({ resources: [...before.values()] }), after: vpcsIn({ resources: [...after.values()] }).map(placed) };
}

function resourceOf(urn: string, { type, parent = "", inputs, outputs = {} }: State): VpcResource {
  return { urn, type, parent, inputs, outputs };
}

/** Without places that contradict the bridges and logical routers, which a preview shows. */
function placed(vpc: VpcInState): VpcInState {
  const { places, routers, switches } = vpc;
  const [router] = routers.values();
  if (places === undefined || router === undefined) return vpc;
  const routed = Object.entries(places.workloads).filter(([, { host }]) => host !== places.virtualRouter.host);
  const same = (name: string, mac: string, tier: string) => router.spec.workloads[name]?.mac === mac && router.spec.workloads[name]?.tier === tier;
  const fits = routed.length === Object.keys(router.spec.workloads).length && routed.every(([name, { mac, tier }]) => same(name, mac, tier));
  const ported = Object.values(places.workloads).every(({ host, port, tier }) => port === undefined || switches.get(host)?.spec.ports[port] === tier);
  return fits && ported ? vpc : { ...vpc, places: undefined };
}
