import { lazily } from "../../kit/memo/lazily";

/** Every kind of resource that consists of bridges, ports and flows of a host, by name. */
export const hostKinds = lazily({
  VpcBridges: () => (require("./vpc-bridges") as typeof import("./vpc-bridges")).vpcBridges,
  LogicalRouterBridge: () => (require("./logical-router-bridge") as typeof import("./logical-router-bridge")).logicalRouterBridge,
});
