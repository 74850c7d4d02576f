import { exposuresHere, readableIn } from "./exposures";
import { otherChassis } from "./other-chassis";
import type { AgentExposure } from "../agent/exposure";
import type { Snapshot } from "./snapshot/snapshot";
import { tenantDatapaths } from "./candidates/tenant-networks";
import { ChassisModel } from "./chassis-model";

/** Rows of the zone that a chassis reads to find addresses that another chassis announces, too. */
export interface Concern {
  /** Exposures whose announcements count here. */
  readonly exposures: readonly AgentExposure[];
  /** Switches whose workloads count wherever they are. */
  readonly datapaths: readonly string[];
  /** NAT of gateway routers elsewhere counts. */
  readonly routersElsewhere: boolean;
}

/**
 * Pure. A tenant network gives way to addresses of any kind, wherever they are. An address on a provider network gives way only to
 * one on another wire, so a chassis with addresses on one wire reads nothing of workloads elsewhere.
 */
export function concernOf(snapshot: Snapshot): Concern {
  const { exposures } = exposuresHere(snapshot);
  if (exposures.length === 0) return { exposures, datapaths: [], routersElsewhere: false };
  const model = new ChassisModel(snapshot, { of: () => undefined });
  const byHost = (list: readonly AgentExposure[]) => list.filter(({ tenantNetworks }) => tenantNetworks === "host");
  const own = tenantDatapaths(model, byHost(exposures));
  const hasTenants =
    tenantDatapaths(
      model,
      exposures.filter(({ tenantNetworks }) => tenantNetworks !== undefined),
    ).length > 0;
  const here = new Set([...model.bound.filter(({ router }) => !router).map(({ datapath }) => datapath), ...model.gateways.map(({ network }) => network.uuid)]);
  const contested = model.rows.providers.filter(
    (one) => hasTenants || [...here].some((other) => model.rows.isProvider(other) && !model.rows.shareWire(one, other)),
  );
  if (!hasTenants && contested.length === 0) return { exposures, datapaths: own, routersElsewhere: false };
  const others = otherChassis(snapshot);
  const provided = others.some((other) => other.exposures.some(({ providerPorts }) => providerPorts)) ? contested : [];
  const tenants = hasTenants ? others.flatMap((other) => tenantDatapaths(other.model, byHost(other.exposures))) : [];
  return { exposures: readableIn(snapshot), datapaths: [...new Set([...own, ...provided, ...tenants])].sort(), routersElsewhere: true };
}
