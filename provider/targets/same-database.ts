import { describeEndpoint, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "../rows/rowset";
import { TargetsError, ZoneError } from "./errors";
import type { Zones } from "./schema";

/** Databases that each zone has of its own. One of Open vSwitch may be a zone's and a host's. */
const OWN = { OVN_Northbound: "northbound", OVN_Southbound: "southbound" } as const;

/** Throws a TargetsError if two zones have an endpoint of the same database in common. */
export function refuseSharedEndpoints(zones: Zones, source: string): void {
  for (const setting of Object.values(OWN)) {
    const holders = new Map<string, string>();
    for (const [zone, { [setting]: endpoints = "" }] of Object.entries(zones)) {
      for (const endpoint of new Set(endpoints.split(",").map((text) => text.trim()))) {
        const holder = endpoint === "" ? undefined : holders.get(endpoint);
        if (holder !== undefined)
          throw new TargetsError(`${source}: zones.${zone}.${setting}: ${describeEndpoint(endpoint)} is also an endpoint of zone "${holder}"; ${EACH}`);
        holders.set(endpoint, zone);
      }
    }
  }
}

const EACH = "each zone has databases of its own";

/** Zones by the server that this process has found at their endpoints: addresses that differ may lead to the same one. */
export class ServersInUse {
  readonly #zones = new Map<string, string>();

  /** Throws a ZoneError if another zone has the same database of the same server. */
  async claim(client: OvsdbClient, zone: string, database: DatabaseName): Promise<void> {
    if (!Object.hasOwn(OWN, database)) return;
    // Servers before OVS 2.7 have no id. What is wrong with one that does not answer, the next call says.
    const server = await client.getServerId().catch(() => undefined);
    if (server === undefined) return;
    const holder = this.#zones.get(`${database} ${server}`);
    if (holder !== undefined && holder !== zone)
      throw new ZoneError(`its ${OWN[database as keyof typeof OWN]} endpoint leads to the database of zone "${holder}"; ${EACH}`);
    this.#zones.set(`${database} ${server}`, zone);
  }
}
