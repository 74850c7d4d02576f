import type { BgpExposureArgs } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { comparedZone } from "../agreement";
import { requireOneInstance } from "../exposure-agreement";
import { type RowArgs, RowResource } from "../resource";

/** What chassis announce to a BGP fabric: floating IPs, load balancers, provider ports and tenant networks, by OVN's own route exchange or by an agent on the chassis. */
export class BgpExposure extends RowResource {
  /** Prefixes that should be announced, by chassis: as the databases were at the last create, update or refresh. Mode "agent": not known in the preview of a change, and empty where the file of targets has no `southbound` of the zone. */
  declare readonly announced: pulumi.Output<Record<string, string[]>>;
  /** Routing tables by chassis: with mode "ovn" the chassis's routing daemon has to announce them, with mode "agent" the agent sees to it. */
  declare readonly tables: pulumi.Output<Record<string, number[]>>;

  constructor(name: string, args: RowArgs<BgpExposureArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = comparedZone<BgpExposureArgs>("BgpExposure", name, args, (known, secret) => requireOneInstance(name, known, secret));
    super("BgpExposure", name, { ...args, zone, ...nameFor(name, args) }, ["announced", "tables"], options);
  }
}

/** An agent tells of an exposure by its name; in the other mode there is none. */
function nameFor(name: string, args: RowArgs<BgpExposureArgs>): Partial<RowArgs<BgpExposureArgs>> {
  if (args.name !== undefined || args.mode === "ovn") return {};
  if (args.mode === "agent") return { name };
  return { name: pulumi.output(args.mode).apply((mode) => (mode === "agent" ? name : undefined)) as pulumi.Output<string> };
}
