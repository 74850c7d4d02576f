import { compareIps } from "../../../../kit/address";
import { readable } from "../../../../kit/address/readable";
import type { AgentExposure } from "../../agent/exposure";
import type { Candidate } from "./candidate";
import type { ChassisModel } from "../chassis-model";

/**
 * Adds to each candidate the gateways that its answers may be sent to: those of the exposure, except gateways that a
 * router has on the network. That router answers for them by itself.
 */
export function withGateways(model: ChassisModel, { gateways = [] }: AgentExposure, candidates: readonly Candidate[]): readonly Candidate[] {
  const named = gateways.flatMap(readable);
  if (named.length === 0) return candidates;
  return candidates.map((candidate) => {
    const { network, next, prefix } = candidate;
    if (next !== null || prefix.family === 4) return candidate;
    const routers = model.rows.subnetsOf(network.uuid);
    return { ...candidate, gateways: named.filter((gateway) => !routers.some((router) => compareIps(router, gateway) === 0)) };
  });
}
