import { APPLY_VARIABLE } from "./apply/record";
import { guardedByApply } from "./apply/recording";
import { setTimeout } from "node:timers/promises";
import { connect, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { DatabaseName } from "./database";
import { didYouMean } from "../kit/arguments/nearest";
import { releaseOf } from "./releases";
import { Cluster } from "./cluster/cluster";
import { kubernetesLibrary } from "./cluster/kubeconfig";
import { clusterSettings, describeCluster } from "./clusters";
import { HostError, ZoneError } from "./errors";
import type { KubernetesConfig } from "./kubernetes-config";
import { namesOf } from "./listed";
import { DatabasesInUse } from "./same-database";
import type { Clusters, Host, Hosts, Zone, Zones } from "./schema";
import { logging, logWriter } from "./transaction-log";

/** Which setting of a zone leads to which database. */
const SETTING = { OVN_Northbound: "northbound", OVN_Southbound: "southbound", Open_vSwitch: "openvswitch" } as const;

/** One function for each database: its connections then read an equal schema once. */
const SINCE = {
  OVN_Northbound: (table: string, column?: string) => releaseOf("OVN_Northbound", table, column),
  OVN_Southbound: (table: string, column?: string) => releaseOf("OVN_Southbound", table, column),
  Open_vSwitch: (table: string, column?: string) => releaseOf("Open_vSwitch", table, column),
} as const;

const DEFAULT_TIMEOUT_SECONDS = 30;

/** Milliseconds in which zones have to answer to be compared with others. */
const COMPARE_TIMEOUT = 2000;

interface Connection {
  readonly own: Promise<OvsdbClient>;
  readonly guarded: Promise<OvsdbClient>;
}

/** One connection per zone and database, and one session per cluster, for the whole process: calls of many resources share them. */
export class Connections {
  readonly #open = new Map<string, Connection>();
  readonly #clusters = new Map<string, Cluster>();
  readonly #databases = new DatabasesInUse();
  readonly #compared = new Map<DatabaseName, Promise<unknown>>();

  /**
   * @param folder where relative paths of kubeconfigs start
   * @param kubernetes of the stack's configuration, for clusters of which the targets do not say the kubeconfig
   */
  constructor(
    readonly zones: Zones,
    readonly hosts: Hosts = {},
    readonly clusters: Clusters = {},
    private readonly folder = process.cwd(),
    private readonly kubernetes: KubernetesConfig = {},
  ) {}

  /** Throws a HostError for an unknown host. */
  host(name: string): Host {
    if (Object.hasOwn(this.hosts, name)) return this.hosts[name]!;
    const names = Object.keys(this.hosts);
    throw new HostError(
      names.length === 0
        ? `host "${name}" is not configured: the targets have no hosts; write "hosts: { ${name}: { openvswitch: tcp:${name}:6640, command: ssh ${name} } }" into the file of targets`
        : `host "${name}" is not configured; the targets have ${namesOf(names)}${didYouMean(name, names)}`,
    );
  }

  /** A zone. For Open_vSwitch, a zone or a host. Throws a ZoneError if it does not exist. */
  #target(name: string, database: DatabaseName): Zone {
    const isHost = Object.hasOwn(this.hosts, name) && (!Object.hasOwn(this.zones, name) || this.zones[name]!.openvswitch === undefined);
    return database === "Open_vSwitch" && isHost ? this.hosts[name]! : this.zone(name);
  }

  /** Throws a ZoneError for an unknown zone. */
  zone(name: string): Zone {
    const zone = Object.hasOwn(this.zones, name) ? this.zones[name] : undefined;
    if (zone) return zone;
    const names = Object.keys(this.zones);
    throw new ZoneError(
      names.length === 0
        ? `zone "${name}" is not configured: there are no targets; write a file with "zones: { ${name}: unix:/run/ovn/ovnnb_db.sock }" and name it: pulumi config set ovn:targets FILE`
        : `zone "${name}" is not configured; the targets have ${namesOf(names)}${didYouMean(name, names)}`,
    );
  }

  /** A session with a Kubernetes cluster; reads nothing before its first use. Throws a ClusterError for an unknown cluster. */
  cluster(name: string): Cluster {
    const cluster =
      this.#clusters.get(name) ?? new Cluster(clusterSettings(name, this.clusters, this.kubernetes), { folder: this.folder, environment: process.env });
    this.#clusters.set(name, cluster);
    return cluster;
  }

  /**
   * Loads the Kubernetes client if there are clusters. For commands that ask all targets at the same time: loading blocks the process, on a loaded
   * machine for longer than a database has to answer.
   */
  async prepare(): Promise<void> {
    if (Object.keys(this.clusters).length > 0) await kubernetesLibrary();
  }

  /** A cluster in errors. */
  describeCluster(name: string): string {
    return describeCluster(name, this.clusters, this.kubernetes);
  }

  /** Configured endpoints of a database of a zone or host. Throws a ZoneError or HostError if the target does not have them. */
  endpoints(name: string, database: DatabaseName): string {
    const target = this.#target(name, database);
    const endpoints = target[SETTING[database]];
    if (endpoints !== undefined) return endpoints;
    if (!Object.hasOwn(this.zones, name))
      throw new HostError(
        `host "${name}" has no ${SETTING[database]} endpoint, which ${database} rows need; set hosts.${name}.${SETTING[database]} in the file of targets`,
      );
    throw new ZoneError(
      `zone "${name}" has no ${SETTING[database]} endpoint, which ${database} rows need; set zones.${name}.${SETTING[database]} in the file of targets`,
    );
  }

  /** Returns the open connection or opens one. A failed one is retried at the next call. Writes fail while an apply is pending. */
  get(name: string, database: DatabaseName): Promise<OvsdbClient> {
    return this.#connection(name, database).guarded;
  }

  /** Like `get`, but writes also during an apply: for the commands that confirm and undo applies. */
  unguarded(name: string, database: DatabaseName): Promise<OvsdbClient> {
    return this.#connection(name, database).own;
  }

  #connection(name: string, database: DatabaseName): Connection {
    const key = `${database} ${name}`;
    const open = this.#open.get(key);
    if (open) return open;
    const target = this.#target(name, database);
    const write = this.logWriter();
    const connecting = connect(this.endpoints(name, database), {
      database,
      tls: target.tls,
      timeout: (target.timeout ?? DEFAULT_TIMEOUT_SECONDS) * 1000,
      connectTimeout: target.timeout === undefined ? undefined : target.timeout * 1000,
      since: SINCE[database],
      unref: true,
    });
    const checked = connecting.then((client) => this.#requireOwnDatabase(client, name, database));
    const own = write ? checked.then((client) => logging(client, { zone: name, database }, write)) : checked;
    const guarded = own.then((client) => guardedByApply(client, database, process.env[APPLY_VARIABLE]));
    const connection = { own, guarded };
    this.#open.set(key, connection);
    guarded.catch(() => this.#open.delete(key));
    return connection;
  }

  /**
   * Before the first row of a resource is written: throws a ZoneError if its zone has the same database as another one of the targets.
   * Connects to all zones, once, but runs no `exec:` program for it, and does not wait for zones that do not answer.
   */
  async refuseShared(name: string, database: DatabaseName): Promise<void> {
    const compared = this.#compared.get(database) ?? this.#compare(database);
    this.#compared.set(database, compared);
    await compared;
    this.#databases.refuseShared(name, database);
  }

  async #compare(database: DatabaseName): Promise<void> {
    const zones = Object.entries(this.zones).filter(([, zone]) => zone[SETTING[database]]?.includes("exec:") === false);
    const all = Promise.allSettled(zones.map(([zone]) => this.get(zone, database)));
    await Promise.race([all, setTimeout(COMPARE_TIMEOUT, undefined, { ref: false })]);
  }

  async #requireOwnDatabase(client: OvsdbClient, name: string, database: DatabaseName): Promise<OvsdbClient> {
    try {
      await this.#databases.note(client, name, database);
      return client;
    } catch (error) {
      await client.close();
      throw error;
    }
  }

  /** Writes transactions to the log. Undefined if they are not logged. Throws a LogError. */
  protected logWriter(): ReturnType<typeof logWriter> {
    return logWriter(process.env);
  }

  async close(): Promise<void> {
    const open = [...this.#open.values()];
    this.#open.clear();
    await Promise.allSettled(open.map(async ({ own }) => (await own).close()));
  }
}

/** Connections of an agent. It repairs rows of finished updates also while an apply is pending: its writes are not refused. */
export class AgentConnections extends Connections {
  override get(name: string, database: DatabaseName): Promise<OvsdbClient> {
    return this.unguarded(name, database);
  }
}

/** Connections to private copies of zones and hosts. Their transactions are not logged as those of the zones and hosts. */
export class ShadowConnections extends Connections {
  protected override logWriter(): undefined {
    return undefined;
  }
}
