import { allocateTunnelKeys, tunnelKeyPoolSchema } from "../../kinds/topology/tunnel-key-pool";
import { PoolHandler } from "./pool";

/** Tunnel keys for networks that span zones. */
export const tunnelKeyPool = new PoolHandler({
  schema: tunnelKeyPoolSchema,
  output: "keys",
  id: "tunnel-keys",
  allocate: allocateTunnelKeys,
});
