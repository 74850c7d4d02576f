import { z } from "zod";
import { subnetPerFamily } from "../fields";

export interface NetworkMasqueradeArgs {
  /**
   * Confirms that flows of the hosts' bridges translate masquerade addresses, which nothing here writes; see docs/how-to/masquerade.md. Default:
   * false, which is refused.
   */
  hostFlows?: boolean;
  /** Default: 169.254.0.0/17 and fd69::/112. */
  subnets?: string[];
}

export const masquerade = z.strictObject({ hostFlows: z.boolean().default(false), subnets: subnetPerFamily.default([]) });
