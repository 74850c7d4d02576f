import { z } from "zod";
import { subnetPerFamily } from "../../fields";

export interface NetworkMasqueradeArgs {
  /**
   * Confirms that your flows on the hosts' bridges translate masquerade addresses; see docs/how-to/masquerade.md. Default: false, which is refused.
   */
  hostFlows?: boolean;
  /** Default: 169.254.0.0/17 and fd69::/112. */
  subnets?: string[];
}

export const masquerade = z.strictObject({ hostFlows: z.boolean().default(false), subnets: subnetPerFamily.default([]) });
