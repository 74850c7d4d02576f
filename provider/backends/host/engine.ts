import type { OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import type { Failure } from "../../kit/arguments/errors";
import type { Ensured, Previous, Properties, Subject } from "../contract/backend";
import { FlowError, SilentSwitchError } from "../flows/errors";
import type { FlowSet } from "../flows/set";
import { forget, keep } from "./agent/keep";
import { keptText } from "./agent/kept";
import { exclusively } from "./engine/lock";
import { appliedTo, keepUpdate, nextUpdate } from "./engine/sequence";
import { HostStateError } from "./errors";
import type { HostRendered } from "./kind";
import { both, hostDigest } from "./lines";
import { listed } from "./lines/broken";
import { disabling, misnumbered } from "./live";
import { brokenInterfaces, followed, madeProblem } from "./live/switch";
import { clientOf, FLOWS, ROWS, rowSubject } from "./parts";
import { flowsMeanwhile } from "./plan";

/** The number of the update is read before anything is changed, and written after everything is. */
export async function ensureHost(subject: Subject, desired: HostRendered, previous?: Previous<HostRendered>): Promise<Ensured> {
  // The number is the replacement's.
  if (previous?.replaced) return write(subject, desired, previous);
  const client = await clientOf(subject);
  const known = previous !== undefined && (previous.desired === undefined || previous.desired.agent !== undefined);
  return withoutAgent(subject, desired.agent !== undefined || known, async () => {
    const applied = await appliedTo(client, subject.urn);
    const next = nextUpdate(applied, previous?.properties);
    const { properties, warnings } = await write(subject, desired, previous);
    await keepUpdate(client, subject.urn, desired.rows, applied, next);
    if (desired.agent) await keep(subject, keptText(subject.urn, desired, next));
    else if (known) await forget(subject);
    return { properties: { ...properties, sequence: next.sequence }, warnings: [...next.warnings, ...warnings] };
  });
}

export async function removeHost(subject: Subject, { rows, flows, fallback, agent }: HostRendered): Promise<void> {
  await withoutAgent(subject, agent !== undefined, async () => {
    // Also where the state knows of no agent: an update that was interrupted may have left a file, and the agent would make all of it again.
    await forget(subject);
    // Redirects are removed first, from all bridges: packets in transit still find the rest.
    if (fallback) await FLOWS.withdraw(subject, flows, fallback.flows);
    await FLOWS.remove(subject, { set: flows });
    await ROWS.remove(rowSubject(subject), { set: rows });
  });
}

/** The host's agent changes nothing meanwhile. */
async function withoutAgent<T>(subject: Subject, hasAgent: boolean, work: () => Promise<T>): Promise<T> {
  return hasAgent ? exclusively(await clientOf(subject), subject.signal, work) : work();
}

async function write(subject: Subject, desired: HostRendered, previous: Previous<HostRendered> | undefined): Promise<Ensured> {
  await prepare(subject, desired, previous);
  const { warnings } = await ROWS.ensure(
    rowSubject(subject),
    { set: desired.rows },
    previous && { ...previous, desired: previous.desired && { set: previous.desired.rows } },
  );
  const client = await clientOf(subject);
  await followed(client);
  const strange = Object.entries(await misnumbered(subject, desired));
  if (strange.length > 0) throw new HostStateError("OVN_INTERFACE", `flows would not know ${listed(strange)}; remove that port`);
  const degraded = await degradedOf(client, desired, previous?.desired);
  const failing = Object.entries(await disabling(subject, desired.fallback));
  const flows = failing.length > 0 ? desired.fallback!.flows : desired.flows;
  // With other rows, ports can have other numbers: then every flow is looked at.
  const unchanged =
    previous?.unchanged === true && previous.desired !== undefined && ROWS.digest({ set: previous.desired.rows }) === ROWS.digest({ set: desired.rows });
  if (desired.fallback && flows === desired.flows && !sameBridges(previous?.desired?.flows, flows)) {
    // Redirects come last: otherwise a packet from one bridge would be lost on another that is not ready.
    await FLOWS.ensure(
      subject,
      { set: desired.fallback.flows },
      previous && { ...previous, unchanged: false, desired: previous.desired && { set: previous.desired.flows } },
    );
  }
  await FLOWS.ensure(subject, { set: flows }, previous && { ...previous, unchanged, desired: previous.desired && { set: previous.desired.flows } });
  // The digest differs from that of the inputs, so that the next update writes again.
  const notAsDesired = (properties: Properties, warning: Failure): Ensured => ({
    properties: { ...properties, digest: both(hostDigest(desired), warning.message) },
    warnings: [warning, ...warnings],
  });
  if (failing.length > 0) {
    const { path, what } = desired.fallback!;
    const message = `${what}: ${listed(failing)}; the next update tries again`;
    return notAsDesired({ state: `fallback: ${listed(failing)}` }, { path, code: "OVN_WARN_FALLBACK", message });
  }
  if (degraded.length > 0) {
    const message = `interfaces that worked before do not work: ${listed(degraded)}; the next update tries again`;
    return notAsDesired({}, { path: "", code: "OVN_WARN_INTERFACE", message });
  }
  return { properties: {}, warnings };
}

/** Packets of an interface with an unknown number would pass unchecked until all flows are written. */
async function prepare(subject: Subject, desired: HostRendered, previous: Previous<HostRendered> | undefined): Promise<void> {
  const meanwhile = flowsMeanwhile(previous?.desired, desired);
  // Without flows to write first, the wait for the rows would be the first to meet a hung switch, and take longer.
  if (previous && meanwhile.bridges.length === 0) await FLOWS.requireAnswer(subject, desired.flows);
  try {
    await FLOWS.ensureThere(subject, meanwhile);
  } catch (error) {
    if (!previous?.desired || !(error instanceof FlowError) || error instanceof SilentSwitchError || error.code !== "OVN_BRIDGE_UNREACHABLE") throw error;
    // Another writer may have changed the row of a bridge that does not answer. The repair adds nothing new.
    await ROWS.restore(rowSubject(subject), { set: previous.desired.rows });
    await followed(await clientOf(subject));
    await FLOWS.ensureThere(subject, meanwhile);
  }
}

/** Interfaces that can't be made are an error; those that have been made before and do not work now must not stop what repairs or avoids them. */
async function degradedOf(client: OvsdbClient, { working = [] }: HostRendered, before: HostRendered | undefined): Promise<[string, string][]> {
  // Not by BFD, which no write repairs: what relies on the interfaces reports it.
  const broken = Object.entries(await brokenInterfaces(client, working, madeProblem));
  const fresh = broken.filter(([name]) => !before?.working?.includes(name));
  if (fresh.length > 0) throw new HostStateError("OVN_INTERFACE", `ovs-vswitchd can't make ${listed(fresh)}`);
  return broken;
}

function sameBridges(before: FlowSet | undefined, after: FlowSet): boolean {
  const names = ({ bridges }: FlowSet) =>
    bridges
      .map(({ bridge }) => bridge)
      .sort()
      .join();
  return before !== undefined && names(before) === names(after);
}
