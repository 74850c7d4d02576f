/** Argument types, as the provider documents them. */
export type {
  ExternalArgs,
  GatewayPeerArgs,
  GatewayRouterArgs,
  LayerTwoSwitchArgs,
  ManagementPortArgs,
  MasqueradeArgs,
  MulticastArgs,
  NeighborArgs,
  PeerNodeArgs,
  PropagationArgs,
  RemoteChassisArgs,
  RemoteChassisEntryArgs,
  TransitRouterArgs,
  TunnelKeyPoolArgs,
  WorkloadPortArgs,
  WorkloadPortsArgs,
} from "@pulumi-ovn/provider";
