import { describeEndpoint, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "./database";
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

/** The table of each database that has one row, whose UUID a relay takes over from its source. */
const ROOT = { OVN_Northbound: "NB_Global", OVN_Southbound: "SB_Global" } as const;

interface Holder {
  readonly zone: string;
  readonly isRelay: boolean;
}

/** Zones by the databases that this process has found at their endpoints: addresses that differ may lead to the same one. */
export class DatabasesInUse {
  readonly #holders = new Map<string, Holder[]>();
  /** Identities by zone and database. */
  readonly #known = new Map<string, readonly string[]>();

  /** Notes the database of a zone. Throws a ZoneError if another zone has the same one. */
  async note(client: OvsdbClient, zone: string, database: DatabaseName): Promise<void> {
    if (!isOwn(database)) return;
    const identities = await identitiesOf(client, database);
    const holder: Holder = { zone, isRelay: client.served?.model === "relay" };
    for (const identity of identities) {
      const others = this.#holders.get(identity) ?? [];
      this.#holders.set(identity, [...others.filter((other) => other.zone !== zone), holder]);
    }
    this.#known.set(`${database} ${zone}`, identities);
    this.refuseShared(zone, database);
  }

  /** Throws a ZoneError if another zone is known to have the same database. */
  refuseShared(zone: string, database: DatabaseName): void {
    if (!isOwn(database)) return;
    for (const identity of this.#known.get(`${database} ${zone}`) ?? []) {
      const holders = this.#holders.get(identity)!;
      // A copied file has the same root, and is another database.
      const isCopy = identity.startsWith("root") && !holders.some(({ isRelay }) => isRelay);
      const other = isCopy ? undefined : holders.find((holder) => holder.zone !== zone);
      if (other) throw new ZoneError(`its ${OWN[database]} endpoint leads to the database of zone "${other.zone}"; ${EACH}`);
    }
  }
}

const isOwn = (database: DatabaseName): database is keyof typeof OWN => Object.hasOwn(OWN, database);

/** Servers before OVS 2.7 have no id, and a new database has no root. The next call reports a server that does not answer. */
async function identitiesOf(client: OvsdbClient, database: keyof typeof ROOT): Promise<string[]> {
  const [server, roots] = await Promise.all([client.getServerId().catch(() => undefined), client.select(ROOT[database], { columns: [] }).catch(() => [])]);
  const cluster = client.served?.clusterId;
  return [
    ...(server === undefined ? [] : [`server ${database} ${server}`]),
    ...(cluster === undefined ? [] : [`cluster ${database} ${cluster}`]),
    ...roots.map(({ _uuid }) => `root ${database} ${String(_uuid)}`),
  ];
}
