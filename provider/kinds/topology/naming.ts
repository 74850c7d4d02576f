import { networkPrefix } from "../../kit/address";

/**
 * Names of a network's objects, as ovn-kubernetes gives them, so that operators find what they expect in
 * `ovn-nbctl show`. The default network's name is empty.
 */
export function namesOf(network: string) {
  const prefix = networkPrefix(network);
  return {
    transitRouter: `${prefix}transit_router`,
    switch: `${prefix}ovn_layer2_switch`,
    gatewayRouter: (node: string) => `GR_${prefix}${node}`,
    externalSwitch: (node: string) => `ext_${prefix}${node}`,
    localnetPort: (bridge: string, node: string) => `${bridge}_${prefix}${node}`,
    furtherExternalSwitch: (external: string, node: string) => `${external}-ext_${prefix}${node}`,
    furtherLocalnetPort: (external: string, node: string) => `${external}-localnet_${prefix}${node}`,
    managementPort: (node: string) => `k8s-${prefix}${node}`,
  };
}

/** Names of ports, from the names of the router or switch at the other end. */
export const PORTS = {
  /** Transit router to gateway router. */
  trtor: (gatewayRouter: string) => `trtor-${gatewayRouter}`,
  /** Gateway router to transit router. */
  rtotr: (gatewayRouter: string) => `rtotr-${gatewayRouter}`,
  /** Gateway router to external switch. */
  rtoe: (gatewayRouter: string) => `rtoe-${gatewayRouter}`,
  /** External switch to gateway router. */
  etor: (gatewayRouter: string) => `etor-${gatewayRouter}`,
  /** Gateway router to a further external switch. ovn-kubernetes has one, and calls it "exgw". */
  furtherRtoe: (external: string, gatewayRouter: string) => `${external}-rtoe-${gatewayRouter}`,
  /** A further external switch to the gateway router. */
  furtherEtor: (external: string, gatewayRouter: string) => `${external}-etor-${gatewayRouter}`,
  /** Transit router to layer-2 switch. */
  trtos: (layer2Switch: string) => `trtos-${layer2Switch}`,
  /** Layer-2 switch to transit router. */
  stotr: (layer2Switch: string) => `stotr-${layer2Switch}`,
  /** Gateway topology: gateway router to layer-2 switch. */
  rtos: (layer2Switch: string) => `rtos-${layer2Switch}`,
  /** Gateway topology: layer-2 switch to the gateway router of its own node. */
  stor: (layer2Switch: string) => `stor-${layer2Switch}`,
  /** Gateway topology: layer-2 switch to the gateway router of another node. */
  storRemote: (layer2Switch: string, node: string) => `stor-${layer2Switch}_${node}`,
} as const;

/** Name of the address set with the destinations that a gateway router translates: it is an identifier of match expressions. */
export function destinationSetName(gatewayRouter: string, family: 4 | 6): string {
  const begins = identifier(gatewayRouter);
  // No identifier begins with a digit: ovn-controller would leave out every translation that names the set.
  return `${/^\d/.test(begins) ? "_" : ""}${begins}.translated_ip${family}`;
}

/** A name as a part of an identifier of match expressions (ovn-sb(5), Logical_Flow match), not its beginning; different names may become the same. */
export function identifier(name: string): string {
  return name.replace(/[^\w.]/g, ".");
}
