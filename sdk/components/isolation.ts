import { type AdvertisedSubnets, isolatedFrom } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { PerRun } from "../per-run";
import { isLater, isPlain } from "../plain";

/** Advertised networks of this run, in the order in which the program makes them. */
const made = new PerRun<{ readonly subnets: unknown; readonly advertised: unknown }[]>(() => []);

/** The arguments of a network, which is isolated from the advertised networks before it if it is advertised itself. */
export function withIsolation<Args extends { readonly subnets?: unknown; readonly advertised?: unknown }>(args: Args): Args {
  const { subnets, advertised } = args;
  // The schema refuses values that are not objects.
  if (typeof advertised !== "object" || advertised === null) return args;
  const earlier = [...made.current];
  made.current.push({ subnets, advertised });
  if (earlier.length === 0 || (!isLater(advertised) && (advertised as { isolate?: unknown }).isolate === false)) return args;
  const all = { own: { subnets, advertised }, earlier };
  const isolated = (known: unknown) => {
    const { own, earlier: others } = known as { own: AdvertisedSubnets; earlier: AdvertisedSubnets[] };
    return isolatedFrom(own, others);
  };
  return { ...args, advertised: isPlain(all) ? isolated(all) : pulumi.output(all).apply(isolated) };
}
