import { z } from "zod";
import { ips, name } from "./fields";

export interface RemoteChassisEntryArgs {
  /** Addresses of the tunnel's other end, the chassis's `ovn-encap-ip`. At least one. */
  addresses: string[];
  /** Kind of tunnel, the same on both ends. Keys of networks that span zones do not fit in "vxlan". Default: "geneve". */
  encapsulation?: "geneve" | "vxlan";
  /** Host name, for people. Default: the chassis's name. */
  hostname?: string;
}

export const remoteChassisEntry = z.strictObject({ addresses: ips, encapsulation: z.enum(["geneve", "vxlan"]).default("geneve"), hostname: name.optional() });
