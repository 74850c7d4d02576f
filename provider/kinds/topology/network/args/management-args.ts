import { z } from "zod";
import { destinations, ipPerFamily, mac } from "../../fields";

export interface NetworkManagementArgs {
  /** Default: the second address of each subnet. */
  addresses?: string[];
  /** Default: derived from the first address. */
  mac?: string;
  /** Allow what the management addresses send, ahead of other rules. Default: true. */
  acl?: boolean;
  /** Services that workloads reach through their node's management port. See docs/how-to/services.md. Default: none. */
  services?: string[];
}

export const management = z.strictObject({
  addresses: ipPerFamily.default([]),
  mac: mac.optional(),
  acl: z.boolean().default(true),
  services: destinations.default([]),
});
