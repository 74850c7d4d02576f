import { hash } from "node:crypto";
import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Failure } from "../../kit/arguments/errors";
import { UNKNOWN } from "../../kit/arguments/unknown";
import type { Backend, Drift, Ensured, Lines, Live, Previous, Properties, Subject } from "../contract/backend";
import { FlowBackend, placeOf } from "../flows/backend";
import { FlowError, SilentSwitchError } from "../flows/errors";
import type { FlowSet } from "../flows/set";
import { hideFlows } from "../flows/hide";
import { RowBackend } from "../rows/backend";
import { hideRows } from "../rows/hide";
import { rowLabel } from "../rows/lines/words";
import type { Connections } from "../../targets/connections";
import { answerIfReachable, spared } from "../../targets/answer-if-reachable";
import { rowDrift } from "./live/drift";
import { HostStateError } from "./errors";
import type { Fallback } from "./set";
import type { HostRendered } from "./kind";
import { forget, keep, keptProblem } from "./agent/keep";
import { keptName, keptText } from "./agent/kept";
import { listed } from "./lines/broken";
import { exclusively } from "./engine/lock";
import { flowsMeanwhile } from "./plan";
import { type Applied, appliedTo, keepUpdate, nextUpdate } from "./engine/sequence";
import { brokenInterfaces, followed, madeProblem, otherNumbers } from "./live/switch";

/**
 * Bridges, ports and flows of one host together: rows first, flows when the switch has made the ports, and the other way
 * round when they go. So nothing is ever sent to a port that is not there.
 */
export class HostBackend implements Backend<HostRendered> {
  /** Also bridges and ports that an interrupted run made, and no state knows of. */
  readonly #rows = new RowBackend("Open_vSwitch", { tables: ["Bridge", "Port", "Interface"] });
  readonly #flows = new FlowBackend(false);
  readonly target = "host";
  readonly arguments = [];
  readonly located = [...this.#flows.located, "adopted"];
  readonly tells = ["sequence"];
  readonly unknown = { cookie: UNKNOWN };

  failures(properties: Properties, targets: Connections): Failure[] {
    const failures = this.#flows.failures(properties, targets);
    if (failures.length > 0) return failures;
    return this.#rows.failures(inZone(properties), targets).map((failure) => ({ ...failure, path: "host", code: "host" }));
  }

  describe(properties: Properties, targets: Connections): string {
    return this.#flows.describe(properties, targets);
  }

  lines({ rows, flows, agent }: HostRendered): Lines {
    return { ...this.#rows.lines({ set: rows }), ...this.#flows.lines({ set: flows }), ...(agent && { agent: "restores this between updates" }) };
  }

  hide(desired: HostRendered, twin: HostRendered): HostRendered {
    return { ...desired, rows: hideRows(desired.rows, twin.rows), flows: hideFlows(desired.flows, twin.flows) };
  }

  /** Each fallback reason has its own digest. */
  digest(desired: HostRendered): string {
    const { warnings = [] } = desired;
    return warnings.length === 0 ? this.#written(desired) : both(this.#written(desired), JSON.stringify(warnings));
  }

  #written({ rows, flows, agent }: HostRendered): string {
    const written = both(this.#rows.digest({ set: rows }), this.#flows.digest({ set: flows }));
    return agent ? both(written, "agent") : written;
  }

  id(urn: string): string {
    return this.#flows.id(urn);
  }

  async locate(subject: Subject, { adopted }: Properties): Promise<Properties> {
    return { ...(await this.#flows.locate(subject)), ...(adopted !== undefined && { adopted }) };
  }

  /**
   * Drift of rows, and of the fragment modes of bridges: a dead switch has none, a restarted one has lost them with its flows. While another
   * owner has the name of a tunnel or bridge, an update is refused; only a refresh reports that, because a check would omit dependent resources.
   */
  async drift(subject: Subject, before: HostRendered, desired: HostRendered): Promise<Drift> {
    const { host, targets } = { host: subject.properties.host as string, targets: subject.targets };
    const lasting = new Set(desired.rows.rows.map(rowLabel));
    const rows = { ...before.rows, rows: before.rows.rows.filter((row) => lasting.has(rowLabel(row))) };
    const client = await spared(targets, host, () => targets.get(host, "Open_vSwitch"));
    const found = client && (await answerIfReachable(() => rowDrift(subject, rows), ANSWER));
    if (!found || found.taken.length > 0) return { gone: [], changed: {} };
    const { gone, changed } = found;
    const bridges = desired.flows.bridges.filter(({ bridge }) => lasting.has(`Bridge ${bridge}`) && !gone.includes(bridge));
    // A preview may reach the database and not the programs.
    const modes = await spared(targets, `programs of ${host}`, () => this.#flows.modes(subject, bridges), ANSWER);
    return { gone, changed: { ...changed, ...modes } };
  }

  async read(subject: Subject, desired: HostRendered): Promise<Live | undefined> {
    const applied = await appliedTo(await this.#client(subject), subject.urn);
    const { sequence } = applied;
    const rows = await this.#rows.read(rowSubject(subject), { set: desired.rows });
    const flows = await this.#liveFlows(subject, desired, rows);
    if (!rows && !flows) return undefined;
    const drift = {
      ...rows?.drift,
      ...(flows ? flows.drift : { flows: "missing" }),
      ...(await this.#disabling(subject, desired.fallback)),
      ...(await this.#misnumbered(subject, desired)),
      ...(await this.#agentDrift(subject, desired, applied)),
    };
    const found = both(rows?.digest ?? "missing", flows?.digest ?? "missing");
    const digest = this.#seen(desired, desired.agent ? both(found, "agent") : found, drift);
    return {
      lines: { ...rows?.lines, ...flows?.lines },
      digest,
      drift,
      ...(rows?.traces && { traces: rows.traces }),
      ...(rows?.located && { located: { adopted: rows.located.adopted }, warnings: rows.warnings }),
      properties: sequence > 0 ? { sequence } : {},
    };
  }

  /** The rows may be as desired although the switch failed to apply them. */
  #seen(desired: HostRendered, written: string, drift: Lines): string {
    if (written !== this.#written(desired)) return written;
    return Object.keys(drift).length > 0 ? both(written, JSON.stringify(drift)) : this.digest(desired);
  }

  /** The number of the update is read before anything is changed, and written after everything is. */
  async ensure(subject: Subject, desired: HostRendered, previous?: Previous<HostRendered>): Promise<Ensured> {
    // The number is the replacement's.
    if (previous?.replaced) return this.#write(subject, desired, previous);
    const client = await this.#client(subject);
    const known = previous !== undefined && (previous.desired === undefined || previous.desired.agent !== undefined);
    return this.#withoutAgent(subject, desired.agent !== undefined || known, async () => {
      const applied = await appliedTo(client, subject.urn);
      const next = nextUpdate(applied, previous?.properties);
      const { properties, warnings } = await this.#write(subject, desired, previous);
      await keepUpdate(client, subject.urn, desired.rows, applied, next);
      if (desired.agent) await keep(placeOf(subject), keptName(subject.urn), keptText(subject.urn, desired, next));
      else if (known) await forget(placeOf(subject), keptName(subject.urn));
      return { properties: { ...properties, sequence: next.sequence }, warnings: [...next.warnings, ...warnings] };
    });
  }

  /** The host's agent changes nothing meanwhile. */
  async #withoutAgent<T>(subject: Subject, hasAgent: boolean, work: () => Promise<T>): Promise<T> {
    return hasAgent ? exclusively(await this.#client(subject), subject.signal, work) : work();
  }

  async #agentDrift(subject: Subject, desired: HostRendered, applied: Applied): Promise<Lines> {
    if (!desired.agent) return {};
    const problem = await keptProblem(placeOf(subject), keptName(subject.urn), keptText(subject.urn, desired, applied));
    return problem === undefined ? {} : { agent: `its file is ${problem}` };
  }

  async #write(subject: Subject, desired: HostRendered, previous: Previous<HostRendered> | undefined): Promise<Ensured> {
    await this.#prepare(subject, desired, previous);
    const { warnings } = await this.#rows.ensure(
      rowSubject(subject),
      { set: desired.rows },
      previous && { ...previous, desired: previous.desired && { set: previous.desired.rows } },
    );
    const client = await this.#client(subject);
    await followed(client);
    const strange = Object.entries(await this.#misnumbered(subject, desired));
    if (strange.length > 0) throw new HostStateError("OVN_INTERFACE", `flows would not know ${listed(strange)}; remove that port`);
    const degraded = await this.#degraded(client, desired, previous?.desired);
    const disabling = Object.entries(await this.#disabling(subject, desired.fallback));
    const flows = disabling.length > 0 ? desired.fallback!.flows : desired.flows;
    // With other rows, ports can have other numbers: then every flow is looked at.
    const unchanged =
      previous?.unchanged === true &&
      previous.desired !== undefined &&
      this.#rows.digest({ set: previous.desired.rows }) === this.#rows.digest({ set: desired.rows });
    if (desired.fallback && flows === desired.flows && !sameBridges(previous?.desired?.flows, flows)) {
      // Redirects come last: otherwise a packet from one bridge would be lost on another that is not ready.
      await this.#flows.ensure(
        subject,
        { set: desired.fallback.flows },
        previous && { ...previous, unchanged: false, desired: previous.desired && { set: previous.desired.flows } },
      );
    }
    await this.#flows.ensure(subject, { set: flows }, previous && { ...previous, unchanged, desired: previous.desired && { set: previous.desired.flows } });
    // The digest differs from that of the inputs, so that the next update writes again.
    const notAsDesired = (properties: Properties, warning: Failure): Ensured => ({
      properties: { ...properties, digest: both(this.digest(desired), warning.message) },
      warnings: [warning, ...warnings],
    });
    if (disabling.length > 0) {
      const { path, what } = desired.fallback!;
      const message = `${what}: ${listed(disabling)}; the next update tries again`;
      return notAsDesired({ state: `fallback: ${listed(disabling)}` }, { path, code: "OVN_WARN_FALLBACK", message });
    }
    if (degraded.length > 0) {
      const message = `interfaces that worked before do not work: ${listed(degraded)}; the next update tries again`;
      return notAsDesired({}, { path: "", code: "OVN_WARN_INTERFACE", message });
    }
    return { properties: {}, warnings };
  }

  /** Packets of an interface with an unknown number would pass unchecked until all flows are written. */
  async #prepare(subject: Subject, desired: HostRendered, previous: Previous<HostRendered> | undefined): Promise<void> {
    // Something differs, so the switch may hang: without this, each of the following steps waits for it.
    if (previous?.unchanged === false) await this.#flows.requireAnswer(subject, desired.flows);
    const meanwhile = flowsMeanwhile(previous?.desired, desired);
    try {
      await this.#flows.ensureThere(subject, meanwhile);
    } catch (error) {
      if (!previous?.desired || !(error instanceof FlowError) || error instanceof SilentSwitchError || error.code !== "OVN_BRIDGE_UNREACHABLE") throw error;
      // Another writer may have changed the row of a bridge that does not answer. The repair adds nothing new.
      await this.#rows.restore(rowSubject(subject), { set: previous.desired.rows });
      await followed(await this.#client(subject));
      await this.#flows.ensureThere(subject, meanwhile);
    }
  }

  /** A flow with a deleted port can't be compared with the switch's; the port's row shows the problem. */
  async #liveFlows(subject: Subject, { flows }: HostRendered, rows: Live | undefined): Promise<Live | undefined> {
    try {
      return await this.#flows.read(subject, { set: flows });
    } catch (error) {
      const portsAreWrong = rows === undefined || Object.keys(rows.drift).length > 0;
      if (!portsAreWrong || !(error instanceof FlowError) || error.code !== "OVN_FLOW_REFUSED") throw error;
      return { lines: {}, digest: "unknown", drift: { flows: "not known while ports are missing" } };
    }
  }

  /** Interfaces that can't be made are an error; those that have been made before and do not work now must not stop what mends or goes round them. */
  async #degraded(client: OvsdbClient, { working = [] }: HostRendered, before: HostRendered | undefined): Promise<[string, string][]> {
    // Not by BFD, which no write repairs: what relies on the interfaces reports it.
    const broken = Object.entries(await brokenInterfaces(client, working, madeProblem));
    const fresh = broken.filter(([name]) => !before?.working?.includes(name));
    if (fresh.length > 0) throw new HostStateError("OVN_INTERFACE", `ovs-vswitchd can't make ${listed(fresh)}`);
    return broken;
  }

  async remove(subject: Subject, { rows, flows, fallback, agent }: HostRendered): Promise<void> {
    await this.#withoutAgent(subject, agent !== undefined, async () => {
      // Also where the state knows of no agent: an update that was interrupted may have left a file, and the agent would make all of it again.
      await forget(placeOf(subject), keptName(subject.urn));
      // Redirects are removed first, from all bridges: packets in transit still find the rest.
      if (fallback) await this.#flows.withdraw(subject, flows, fallback.flows);
      await this.#flows.remove(subject, { set: flows });
      await this.#rows.remove(rowSubject(subject), { set: rows });
    });
  }

  async #disabling(subject: Subject, fallback: Fallback | undefined): Promise<Record<string, string>> {
    if (fallback === undefined || fallback.interfaces.length === 0) return {};
    const broken = await brokenInterfaces(await this.#client(subject), fallback.interfaces);
    return Object.fromEntries(Object.entries(broken).map(([name, problem]) => [`Interface ${name}`, problem]));
  }

  async #misnumbered(subject: Subject, { numbers }: HostRendered): Promise<Record<string, string>> {
    if (numbers === undefined) return {};
    const found = await otherNumbers(await this.#client(subject), numbers);
    return Object.fromEntries(Object.entries(found).map(([name, problem]) => [`Interface ${name}`, problem]));
  }

  #client({ properties, targets }: Pick<Subject, "properties" | "targets">) {
    return targets.get(properties.host as string, "Open_vSwitch");
  }
}

/** Milliseconds for the answer of a host whose database can be reached. */
const ANSWER = 10_000;

/** The row engine's target is a zone; a host is one for databases of Open vSwitch. */
const inZone = ({ host, adopted }: Properties): Properties => ({ zone: host, ...(adopted !== undefined && { adopted }) });
const rowSubject = (subject: Subject): Subject => ({ ...subject, properties: inZone(subject.properties) });

function sameBridges(before: FlowSet | undefined, after: FlowSet): boolean {
  const names = ({ bridges }: FlowSet) =>
    bridges
      .map(({ bridge }) => bridge)
      .sort()
      .join();
  return before !== undefined && names(before) === names(after);
}

const both = (rows: string, flows: string): string => hash("sha256", `${rows} ${flows}`, "hex").slice(0, 16);
