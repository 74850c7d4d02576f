import { type Prefix, contains, hostPrefix } from "../../../../kit/address";
import { readable } from "../../../../kit/address/readable";
import type { AgentExposure } from "../../agent/exposure";
import { withoutPort } from "../../vip";
import { addressesOf } from "../addresses";
import { type Candidate } from "./candidate";
import { gatewaysOf } from "./gateways";
import type { ChassisModel } from "../chassis-model";

/** VIPs on provider networks, from where the gateway of their router is: their packets enter OVN there. A VIP without backends waits for one. */
export function loadBalancers(model: ChassisModel, exposure: AgentExposure): Candidate[] {
  if (!exposure.loadBalancers) return [];
  return gatewaysOf(model, exposure).flatMap(({ port, router, network }): Candidate[] => {
    const subnets = addressesOf(port);
    return servedVips(model, router).flatMap((vip): Candidate[] => {
      const subnet = subnets.find((one) => contains(one, vip));
      const link = subnet && model.link(network);
      return link ? [{ network, link, next: null, prefix: hostPrefix(vip), subnet }] : [];
    });
  });
}

/** Addresses of a router's VIPs that have a backend. */
export function servedVips(model: ChassisModel, router: string): Prefix[] {
  return model.rows
    .vipsOf(router)
    .filter(({ backends }) => backends !== "")
    .flatMap(({ vip }) => readable(withoutPort(vip)));
}
