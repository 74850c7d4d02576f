import type { BgpExposureArgs } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { comparedZone } from "../agreement";
import { requireOneInstance } from "../exposure-agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * Announcements of chassis to a BGP fabric: floating IPs, load balancers, provider ports and tenant networks. OVN's own route exchange
 * or an agent on the chassis announces them.
 */
export class BgpExposure extends RowResource {
  /**
   * Prefixes that should be announced, by chassis. Mode "agent": empty without `southbound` of the zone.
   */
  declare readonly announced: pulumi.Output<Record<string, string[]>>;
  /** Routing tables to announce, by chassis. Mode "agent": the agent does this. */
  declare readonly tables: pulumi.Output<Record<string, number[]>>;

  constructor(name: string, args: RowArgs<BgpExposureArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = comparedZone<BgpExposureArgs>("BgpExposure", name, args, (known, secret) => requireOneInstance(name, known, secret));
    super("BgpExposure", name, { ...args, zone, ...nameFor(name, args) }, ["announced", "tables"], options);
  }
}

/** Name that an agent uses in its reports about the exposure. The other mode has no name. */
function nameFor(name: string, args: RowArgs<BgpExposureArgs>): Partial<RowArgs<BgpExposureArgs>> {
  if (args.name !== undefined || args.mode === "ovn") return {};
  if (args.mode === "agent") return { name };
  return { name: pulumi.output(args.mode).apply((mode) => (mode === "agent" ? name : undefined)) as pulumi.Output<string> };
}
