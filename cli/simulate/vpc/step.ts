import { numberOf, ROUTER_TABLE, routerBridge, TIER_TABLE } from "@pulumi-ovn/provider/tools";
import type { TraceStep } from "../../trace/trace-text";
import { partsOf } from "../../plan/steps";
import type { VpcInState } from "../../vpc/model";
import type { Step } from "../types";

/** Tiers of the sender and the receiver. Undefined outside. */
interface Between {
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const SECURED: ReadonlySet<number> = new Set([TIER_TABLE.securedDiscovery, TIER_TABLE.securedSource]);

/** Pure. A flow that a packet met on a host, with its rule or resource. */
export function vpcStep(vpc: VpcInState, host: string, between: Between, { bridge, table, match, priority, cookie }: TraceStep): Step {
  const { stage, origin } = originOf(vpc, host, between, { bridge, table, priority, cookie });
  return { zone: host, datapath: bridge, pipeline: "ingress", table, stage, match, priority, hint: undefined, ...(origin !== undefined && { origin }) };
}

/** Pure. Names the ACL that drops a packet: the last one that it meets. */
export function withDrop(steps: readonly Step[]): Step[] {
  const last = steps.findLastIndex(({ stage }) => stage.endsWith("_acl_eval"));
  return steps.map((step, index) => (index === last ? { ...step, stage: step.stage.replace("_eval", "_drop") } : step));
}

type Flow = Pick<TraceStep, "bridge" | "table" | "priority" | "cookie">;

function originOf(
  { name, switches, routers }: VpcInState,
  host: string,
  between: Between,
  { bridge, table, priority, cookie }: Flow,
): { readonly stage: string; readonly origin?: string } {
  const [bridges, router] = [switches.get(host), routers.get(host)];
  if (router !== undefined && cookie === router.cookie) {
    const tier = table === ROUTER_TABLE.egressAcl ? between.from : table === ROUTER_TABLE.ingressAcl ? between.to : undefined;
    const list = tier === undefined ? undefined : router.spec.tiers[tier]?.acl;
    if (list !== undefined) {
      const stage = table === ROUTER_TABLE.egressAcl ? "egress_acl_eval" : "ingress_acl_eval";
      const number = numberOf(priority);
      return { stage, origin: `${number === undefined ? "the end" : `rule ${number}`} of ACL list "${list}" of Vpc "${name}"` };
    }
    return {
      stage: bridge !== routerBridge(name) && table === TIER_TABLE.fromWorkload ? "redirect" : "router",
      origin: `LogicalRouterBridge "${partsOf(router.owner).name}"`,
    };
  }
  if (bridges !== undefined && cookie === bridges.cookie && SECURED.has(table))
    return { stage: "port_security", origin: `port security of VpcBridges "${partsOf(bridges.owner).name}"` };
  return { stage: "tier" };
}
