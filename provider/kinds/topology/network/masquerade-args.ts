import { z } from "zod";
import { subnetPerFamily } from "../fields";

export interface NetworkMasqueradeArgs {
  /**
   * Says that the hosts' bridges translate the gateway routers' masquerade addresses to those of the hosts, and back: required,
   * because nothing here writes these flows, and without them nothing that leaves is answered. docs/how-to/masquerade.md has them.
   * Default: false, which is refused.
   */
  hostFlows?: boolean;
  /** Default: 169.254.0.0/17 and fd69::/112. */
  subnets?: string[];
}

export const masquerade = z.strictObject({ hostFlows: z.boolean().default(false), subnets: subnetPerFamily.default([]) });
