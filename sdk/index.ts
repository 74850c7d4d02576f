/** Every public name of the package. */
import "./require-node";
import { endWithoutReader } from "./engine-loss";

export type { AdvertisedLayer2Network, RouteAdvertisementArgs } from "./components/advertised-networks";
export { EgressIPPolicy, type EgressIPPolicyArgs } from "./components/egress-ip-policy";
export { EgressConflictError } from "./components/egress-claims";
export { Layer2Network, type Layer2NetworkArgs, type NetworkZone } from "./components/layer2-network";
export type { TunnelKeysInput } from "./components/tunnel-keys";
export { Vpc, type VpcArgs } from "./components/vpc";
export { MatchError, type MatchSets, type NamedSets, parseMatch } from "@pulumi-ovn/provider";
export { hostsOfTier, hostsOfVpc, type SpannedVpc, vpcsOfHost, type VpcPlaces } from "@pulumi-ovn/provider";
export { expect } from "./intents/expect";
export type { WaitFor } from "./components/wait";
export { NodeLocalAccess, type NodeLocalAccessArgs, type NodeLocalZoneArgs } from "./components/node-local-access";
export { getPort, getPortOutput, getRouter, getRouterOutput, getSwitch, getSwitchOutput, type LookupInputs } from "./lookups";
export { DisagreementError, OutsideAddressError, TunnelKeyError } from "./agreement";
export { ClearCredentialsError } from "./clear-credentials";
export {
  FlowResource,
  DeletedWithError,
  ImportOptionError,
  ObjectResource,
  OvnResource,
  RowResource,
  type Inputs,
  type InZone,
  type ObjectArgs,
  type ResourceArgs,
  type RowArgs,
} from "./resource";
export * from "./former-names";
export * from "./resources";
export type * from "./types";

endWithoutReader();
