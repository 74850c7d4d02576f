/** Arguments of `VpcBridges` for one host of a VPC with two tiers. */
export const BRIDGES = {
  host: "node1",
  vpc: "blue",
  tiers: { app: 1002, web: 1001 },
  tunnelAddress: "198.18.0.1",
  remotes: { node2: "198.18.0.2" },
  datapathType: "netdev",
};

/** The two tiers, as arguments of `LogicalRouterBridge`. */
export const TIERS = {
  app: { key: 1002, cidrs: ["10.1.2.0/24"], gatewayMac: "0a:58:0a:01:02:01" },
  web: { key: 1001, cidrs: ["10.1.1.0/24"], gatewayMac: "0a:58:0a:01:01:01" },
};
