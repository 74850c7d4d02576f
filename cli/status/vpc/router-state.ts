import type { LogicalRouterBridgeSpec } from "@pulumi-ovn/provider/tools";
import { routerBridge } from "@pulumi-ovn/provider/tools";
import type { Part } from "../../vpc/model";
import { fallbackOf } from "./agent";
import type { RouterState, StateWithDetail } from "./facts";
import { flowsProblem, type LiveHost } from "./live";
import { isOfTheSwitch, problemText } from "./problem";

/** Output `state` of a logical router that a tunnel has disabled. */
const FALLBACK = /^fallback: (.*)$/s;

/** Pure. The state of a host's logical router; only its redirect flows enable it. */
export function routerState(part: Part<LogicalRouterBridgeSpec> | undefined, { interfaces, routing, agent }: LiveHost): StateWithDetail<RouterState> {
  if (part === undefined) return { state: "missing", detail: "the stack has no logical router for this host; was an update interrupted?" };
  if (routing instanceof Error) return isOfTheSwitch(routing) ? { state: "flows", detail: problemText(routing) } : { state: "unknown" };
  if (interfaces instanceof Error) return { state: "unknown" };
  if (routing === undefined || interfaces[routerBridge(part.spec.vpc)] === undefined) return { state: "missing", detail: "its bridge is missing" };
  const { enabled, disabled } = routing;
  // A flow that is missing in both comparisons, or surplus in both, is not a redirect.
  const redirects = { missing: enabled.missing - disabled.missing, present: disabled.surplus - enabled.surplus };
  const problem = flowsProblem({ ...enabled, missing: disabled.missing });
  if (problem !== "") return { state: "flows", detail: problem };
  if (!part.spec.enabled)
    return redirects.present === 0
      ? { state: "disabled", detail: "enabled: false" }
      : { state: "unexpected", detail: `enabled: false, and ${redirects.present} redirect flows` };
  if (redirects.missing === 0) return { state: "enabled" };
  const why = fallbackOf(agent, part.cookie) ?? FALLBACK.exec(part.recorded ?? "")?.[1];
  if (why !== undefined && redirects.present === 0) return { state: "fallback", detail: why };
  return {
    state: "no-redirects",
    detail: redirects.present === 0 ? "no redirect flows" : `${redirects.missing} of ${redirects.missing + redirects.present} redirect flows are missing`,
  };
}
