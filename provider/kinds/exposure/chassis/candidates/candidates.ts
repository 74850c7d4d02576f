import type { AgentExposure } from "../../agent/exposure";
import { withGateways } from "./gateways-of-candidates";
import type { Candidate } from "./candidate";
import { floatingIPs } from "./floating-ips";
import { gatewayAddresses } from "./gateways";
import { loadBalancers } from "./load-balancers";
import { providerPorts } from "./provider-ports";
import { tenantNetworks } from "./tenant-networks";
import type { ChassisModel } from "../chassis-model";

/** Each part of what may be announced. */
const PARTS: readonly ((model: ChassisModel, exposure: AgentExposure) => Candidate[])[] = [
  providerPorts,
  gatewayAddresses,
  floatingIPs,
  loadBalancers,
  tenantNetworks,
];

/** Routes that the exposures request on a chassis. */
export const candidatesOf = (model: ChassisModel, exposures: readonly AgentExposure[]): readonly Candidate[] =>
  exposures.flatMap((exposure) =>
    withGateways(
      model,
      exposure,
      PARTS.flatMap((part) => part(model, exposure)),
    ),
  );
