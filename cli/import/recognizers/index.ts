import { gatewayPeers } from "./gateway-peer";
import { gatewayRouters } from "./gateway-router";
import { layer2Switches } from "./layer2-switch";
import type { Recognizer } from "./recognizer";
import { transitRouters } from "./transit-router";
import { workloadPorts } from "./workload-ports";

/** In the order in which one builds on the other. */
export const recognizers: readonly Recognizer[] = [layer2Switches, transitRouters, gatewayRouters, gatewayPeers, workloadPorts];
