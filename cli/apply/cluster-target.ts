import { hostname } from "node:os";
import type { ApplyFacts } from "@pulumi-ovn/provider/targets";
import { type Cluster, confirmObjects, forgetObjects, layDownObjects, readObjectRecord, undoObjects } from "@pulumi-ovn/provider/tools";
import type { ApplyTarget, PendingApply } from "./target";
import type { Timer } from "./timer";

/** Lease that a guard renews while it watches a cluster. */
const LEASE = { apiVersion: "coordination.k8s.io/v1", kind: "Lease", namespace: "kube-system", name: "pulumi-ovn-guard" } as const;

/** Seconds after which a guard counts as ended, and in which it renews the lease. */
const LEASE_SECONDS = 30;
const RENEW_SECONDS = 10;

/** This guard in the lease. Several guards of a cluster renew one lease. */
const HOLDER = `pulumi-ovn guard ${process.pid} on ${hostname()}`;

/** coordination.k8s.io/v1, LeaseSpec */
interface LeaseSpec {
  readonly holderIdentity?: string;
  readonly renewTime?: string;
}

/** A cluster, whose record is a Secret. No process there can undo objects: a guard does, or the command. */
export class ClusterTarget implements ApplyTarget {
  readonly title: string;
  readonly names: Readonly<Record<string, string>>;
  /** Date of the last renewal, in milliseconds. */
  #renewed = 0;
  #renewing: Promise<void> | undefined;

  constructor(
    private readonly cluster: Cluster,
    name: string,
  ) {
    this.title = `cluster "${name}"`;
    this.names = { cluster: name };
  }

  async read(): Promise<PendingApply | undefined> {
    const record = await readObjectRecord(this.cluster);
    if (!record) return undefined;
    const { inverses, ...rest } = record;
    return { ...rest, rows: 0, parts: 0, objects: inverses.length };
  }

  layDown(id: string, facts: ApplyFacts): Promise<void> {
    return layDownObjects(this.cluster, id, facts);
  }

  confirm(id: string): Promise<void> {
    return confirmObjects(this.cluster, id);
  }

  undo(id: string): Promise<void> {
    return undoObjects(this.cluster, id);
  }

  forget(id: string): Promise<void> {
    return forgetObjects(this.cluster, id);
  }

  async startTimer(): Promise<Timer> {
    const lease = await this.cluster.get(LEASE).catch(() => undefined);
    const { renewTime = "" } = (lease?.["spec"] ?? {}) as LeaseSpec;
    return Date.now() - Date.parse(renewTime) < LEASE_SECONDS * 1000 ? "guard" : "command";
  }

  async guard(): Promise<void> {
    if (Date.now() - this.#renewed < RENEW_SECONDS * 1000) return;
    this.#renewed = Date.now();
    this.#renewing = this.#renew();
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    const { apiVersion, kind, ...metadata } = LEASE;
    try {
      const uid = (await this.cluster.get(LEASE))?.metadata.uid;
      const spec = { holderIdentity: HOLDER, leaseDurationSeconds: LEASE_SECONDS, renewTime: microseconds(new Date()) };
      await this.cluster.apply({ apiVersion, kind, metadata, spec }, { force: true, uid });
    } catch (error) {
      this.#renewed = 0;
      throw error;
    }
  }

  async endGuard(): Promise<void> {
    await this.#renewing?.catch(() => undefined);
    this.#renewed = Infinity; // a loop that continues must not make it again
    const lease = await this.cluster.get(LEASE);
    const { holderIdentity } = (lease?.["spec"] ?? {}) as LeaseSpec;
    if (lease && holderIdentity === HOLDER) await this.cluster.delete(LEASE, lease.metadata.uid);
  }
}

/** As MicroTime of meta/v1. */
const microseconds = (time: Date): string => time.toISOString().replace("Z", "000Z");
