import { dirname } from "node:path";
import type { HostState, Problem, Route } from "@pulumi-ovn/provider/agent";
import { type AgentHost, type Converged, type HostOptions, MAX_SCAN_DELAY } from "./agent-host";
import { apply } from "./apply";
import { compareAnnouncements, isRetraction, LastingErrors } from "./frr/announcements";
import { FRR } from "./frr/socket";
import { readFrr, readOrigins } from "./frr/vtysh";
import { readAddressOwners, readKernel, scopeOf } from "./kernel/read";
import { Writer } from "./kernel/writer";
import { type CachedPlan, ScanCache } from "./scan-cache";
import type { LiveFrr, LiveHost } from "./live";
import { BackgroundScan } from "./background-scan";
import { isAsDesired, routesByKey, isRelevant, type Watched, watchedBy, NOTHING_WATCHED } from "./kernel-events";
import { plan } from "./plan";
import { type ProgramEnvironment, ProgramError, reading } from "./program";
import type { IpStep, Plan, Step } from "./steps";
import { Superseded, unlessSuperseded } from "./superseded";
import { readFlows } from "./switch/flows";
import { readPorts, switchProblem } from "./switch/ports";
import { watch } from "./watch";

const TIMEOUT_SECONDS = 30;

/** Maximum number of rounds. A second round follows a round that deleted an address, changed a port or added a blackhole. */
const ROUNDS = 2;

/** The host that this process runs on, by ip(8), vtysh, ovs-ofctl(8) and the Open_vSwitch database. */
export class Host implements AgentHost {
  readonly #environment: ProgramEnvironment;
  #addressOwners: boolean | undefined;
  /** Scope of the last round that left nothing to do. */
  #cleanScope = "";
  /** Tables and devices of the last round. */
  #watched: () => Watched = () => NOTHING_WATCHED;
  /** Indexes of the devices that the last scan found. */
  #indexes: ReadonlySet<number> = new Set();
  #routes: () => ReadonlyMap<string, Route> = () => new Map();
  /** Last seen neighbours of FRR's instance. They stay reserved while FRR is down or has not read its configuration. */
  #peers: readonly string[] | undefined;
  /** State of FRR in the last scan. */
  #frr: LiveFrr | undefined;
  #lastTurn: Promise<unknown> = Promise.resolve();
  readonly #cache = new ScanCache();
  /** Runs as long as the cache is valid: the numbers of devices that it remembers are as old. */
  readonly #writer: Writer;
  /** Time of the first step, or of the first abandoned scan, since the last completed scan. */
  #unscannedSince = Infinity;
  readonly #backgroundScan: BackgroundScan;
  /** Asks for a round. */
  #requestRound: () => void = () => undefined;

  constructor(private readonly options: HostOptions) {
    const { command = [], vtysh, timeout = TIMEOUT_SECONDS, signal } = options;
    // Another vtysh, or one that runs elsewhere, may have other daemons.
    const sockets = command.length === 0 && vtysh === undefined ? FRR : undefined;
    this.#environment = { command, vtysh, sockets, timeout, signal };
    this.#writer = new Writer(this.#environment);
    this.#backgroundScan = new BackgroundScan({
      cache: this.#cache,
      read: (desired) => this.read(desired),
      inTurn: (work) => this.#inTurn(async () => work()),
      onConfirmed: (since) => (this.#unscannedSince = since ?? Infinity),
      onContradicted: () => {
        this.#dropCache();
        this.#requestRound();
      },
    });
  }

  async converge(desired: HostState): Promise<Converged>;
  async converge(desired: HostState, newer: AbortSignal, isScanDue?: boolean): Promise<Converged | undefined>;
  async converge(desired: HostState, newer?: AbortSignal, isScanDue = true): Promise<Converged | undefined> {
    return this.#inTurn(() => this.#converge(desired, newer, isScanDue));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(work);
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  watch(onChange: () => void): () => void {
    this.#requestRound = onChange;
    const onEvent = (line: string): boolean => {
      this.#cache.eventsStarted();
      const news = isRelevant(line, this.#watched()) && !isAsDesired(line, this.#routes());
      if (news) this.#dropCache();
      return news;
    };
    const onLost = () => {
      this.#cache.eventsLost();
      this.#writer.end();
    };
    return watch(this.#environment, onChange, { onEvent, onLost, bridges: folderOf(this.options.openvswitch.endpoint) });
  }

  readonly #lastingErrors = new LastingErrors();

  /**
   * Whether FRR differs from the result of the last scan. The caller can't compare two of its own reads: between them the agent may
   * have written lines that a reload removed again.
   */
  async frrDiffers(): Promise<boolean> {
    return this.#lastingErrors.hasRecent || JSON.stringify(await readFrr(this.#environment)) !== JSON.stringify(this.#frr);
  }

  async #converge(desired: HostState, newer: AbortSignal | undefined, isScanDue: boolean): Promise<Converged | undefined> {
    // This serves events that arrive after the steps, so the steps need not wait for it.
    let routes: ReadonlyMap<string, Route> | undefined;
    this.#routes = () => (routes ??= routesByKey(desired.routes));
    let watched: Watched | undefined;
    this.#watched = () => (watched?.indexes === this.#indexes ? watched : (watched = watchedBy(desired, this.#indexes)));
    let fromCache = await this.#applyFromCache(this.#cache.plan(desired));
    // Withdrawn routes need not wait for a scan: the fabric sends to the old host as long as it announces them.
    let changed = fromCache ? 0 : ((await this.#applyFromCache(this.#cache.withdrawals(desired)))?.changed ?? 0);
    fromCache ??= await this.#applyFlows(desired);
    if (fromCache) changed += fromCache.changed;
    if (fromCache && newer && !this.#mayDelayScan()) {
      this.#backgroundScan.begin(desired);
      return { ...fromCache, changed };
    }
    if (fromCache && (changed > 0 || !isScanDue) && this.#mayDelayScan()) return { ...fromCache, changed };
    for (let round = 1; ; round++) {
      this.#environment.signal?.throwIfAborted();
      const planned = await this.#plan(desired, changed > 0 ? undefined : newer, fromCache !== undefined);
      if (planned === undefined) return undefined;
      const { steps, problems } = planned;
      const failed = steps.length === 0 ? [] : await apply(this.#environment, this.options.openvswitch, steps);
      changed += steps.length;
      if (steps.length === 0 && problems.length === 0) this.#cleanScope = subjectOf(desired);
      // The kernel deletes a device's routes with the device's last address, and with the device.
      const isIncomplete = (step: Step) => step.kind === "port" || isRetraction(step) || (step.kind === "ip" && step.line.startsWith("address del"));
      const more = failed.length === 0 && round < ROUNDS && steps.some(isIncomplete);
      if (!more) return { isScanned: true, problems: [...problems, ...failed], changed };
    }
  }

  /** Applies a plan from the cached state. Undefined if the cache does not suffice or a step failed: then the host must be scanned. */
  async #applyFromCache(planned: CachedPlan | undefined): Promise<Converged | undefined> {
    if (planned === undefined) return undefined;
    const { steps, problems } = planned;
    if (steps.length === 0) return { isScanned: false, problems, changed: 0 };
    this.#unscannedSince = Math.min(this.#unscannedSince, performance.now());
    const isTaken = steps.every(({ kind }) => kind === "ip")
      ? await this.#writer.take(steps as readonly IpStep[])
      : (await apply(this.#environment, this.options.openvswitch, steps)).length === 0;
    if (!isTaken) {
      this.#dropCache();
      return undefined;
    }
    this.#cache.applied(planned);
    return { isScanned: false, problems, changed: steps.length };
  }

  /** Applies a state that needs a scan only of the bridges whose flows change. Undefined if it needs more. */
  async #applyFlows(desired: HostState): Promise<Converged | undefined> {
    const toScan = this.#cache.flowsToScan(desired) ?? [];
    if (toScan.length === 0) return undefined;
    const scanned = await readFlows(reading(this.#environment), toScan, this.#cache.bridges, false);
    return this.#applyFromCache(this.#cache.plan(desired, scanned));
  }

  #dropCache(): void {
    this.#cache.forget();
    this.#writer.end();
  }

  /**
   * Undefined if a newer state has arrived that need not wait.
   *
   * @param suffices the cached state is enough for this desired state, so probably also for the newer state
   */
  async #plan(desired: HostState, newer: AbortSignal | undefined, suffices: boolean): Promise<Pick<Plan, "steps" | "problems"> | undefined> {
    const look = this.#cache.begin(desired);
    try {
      const live =
        newer === undefined
          ? await this.read(desired)
          : await unlessSuperseded(
              newer,
              () => this.#cache.hasScan && (suffices || this.#mayDelayScan()),
              this.#environment.signal,
              (signal) => this.read(desired, signal),
            );
      const planned = plan(desired, live);
      this.#unscannedSince = Infinity;
      if (planned.steps.length === 0) this.#cache.keep(desired, live, look, planned.problems);
      else this.#dropCache();
      if (this.#cache.hasScan) this.#writer.ready();
      return planned;
    } catch (error) {
      if (error instanceof Superseded) {
        this.#unscannedSince = Math.min(this.#unscannedSince, performance.now());
        return undefined;
      }
      if (!(error instanceof ProgramError)) throw error;
      return { steps: [], problems: [{ code: "OVN_AGENT_PROGRAM", subject: "ip", message: error.message }] };
    } finally {
      this.#cache.end(look);
    }
  }

  /** Whether a scan may be delayed further. */
  #mayDelayScan(): boolean {
    return performance.now() - this.#unscannedSince < MAX_SCAN_DELAY;
  }

  /**
   * Reads the host's state: the desired objects and the agent's own. If the configuration has changed or the last round left work,
   * it scans all tables and bridges; otherwise only those of the desired state.
   */
  async read(desired: HostState, signal: AbortSignal | undefined = this.#environment.signal): Promise<LiveHost> {
    const environment = { ...this.#environment, signal };
    const everywhere = this.#cleanScope !== subjectOf(desired);
    this.#addressOwners ??= await readAddressOwners(environment);
    const problems: Problem[] = [];
    const [kernel, frr, [ports, flows]] = await Promise.all([
      readKernel(environment, desired, scopeOf(desired, everywhere), this.#addressOwners),
      readFrr(environment),
      readPorts(this.options.openvswitch, desired.taggedPorts)
        .then(async (found) => [found, await readFlows(reading(environment), desired.flows, found.bridges, everywhere)] as const)
        .catch((error: unknown) => {
          problems.push(switchProblem("Open vSwitch", error));
          return [undefined, {}] as const;
        }),
    ]);
    this.#indexes = new Set(Object.values(kernel.links).map(({ index }) => index));
    this.#frr = frr;
    const announcementErrors = this.#lastingErrors.filter(compareAnnouncements(desired, kernel.routes, await readOrigins(environment, frr)), performance.now());
    if (frr.running && frr.bgp) this.#peers = frr.bgp.neighbors;
    return { kernel, frr, announcementErrors, peers: this.#peers, ports, flows, problems };
  }
}

/** Tables, bridges and the VRF that a state is about. */
const subjectOf = ({ bgp, rules, flows }: HostState): string =>
  JSON.stringify([bgp?.table, bgp?.vrf, rules.map(({ table }) => table), flows.map(({ bridge }) => bridge)]);

/** Folder of the database's socket. ovs-vswitchd puts the sockets of its bridges in the same folder. */
const folderOf = (endpoint: string): string | undefined => (endpoint.startsWith("unix:") ? dirname(endpoint.slice("unix:".length)) : undefined);
