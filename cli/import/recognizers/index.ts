import { gatewayPeers } from "./gateway-peer";
import { gatewayRouters } from "./gateway-router";
import { layerTwoSwitches } from "./layer-two-switch";
import type { Recognizer } from "./recognizer";
import { transitRouters } from "./transit-router";
import { workloadPorts } from "./workload-ports";

/** In the order in which one builds on the other. */
export const recognizers: readonly Recognizer[] = [layerTwoSwitches, transitRouters, gatewayRouters, gatewayPeers, workloadPorts];
