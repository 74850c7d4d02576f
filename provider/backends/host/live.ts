import type { Drift, Lines, Live, Subject } from "../contract/backend";
import { FlowError } from "../flows/errors";
import { rowLabel } from "../rows/set/words";
import { answerIfReachable, spared } from "../../targets/answer-if-reachable";
import { keptProblem } from "./agent/keep";
import { keptText } from "./agent/kept";
import { type Applied, appliedTo } from "./engine/sequence";
import type { HostRendered } from "./kind";
import { both, hostDigest, writtenDigest } from "./lines";
import { rowDrift } from "./live/drift";
import { brokenInterfaces, otherNumbers } from "./live/switch";
import { clientOf, FLOWS, ROWS, rowSubject } from "./parts";
import type { Fallback } from "./set";

/** Milliseconds for the answer of a host whose database can be reached. */
const ANSWER = 10_000;

/**
 * Drift of rows, and of the fragment modes of bridges: a dead switch has none, a restarted one has lost them with its flows. While another
 * owner has the name of a tunnel or bridge, an update is refused; only a refresh reports that, because a check would omit dependent resources.
 */
export async function hostDrift(subject: Subject, before: HostRendered, desired: HostRendered): Promise<Drift> {
  const { host, targets } = { host: subject.properties.host as string, targets: subject.targets };
  const lasting = new Set(desired.rows.rows.map(rowLabel));
  const rows = { ...before.rows, rows: before.rows.rows.filter((row) => lasting.has(rowLabel(row))) };
  const client = await spared(targets, host, () => targets.get(host, "Open_vSwitch"));
  const found = client && (await answerIfReachable(() => rowDrift(subject, rows), ANSWER));
  if (!found || found.taken.length > 0) return { missing: [], changed: {} };
  const { missing, changed } = found;
  const bridges = desired.flows.bridges.filter(({ bridge }) => lasting.has(`Bridge ${bridge}`) && !missing.includes(bridge));
  // A preview may reach the database and not the programs.
  const modes = await spared(targets, `programs of ${host}`, () => FLOWS.modes(subject, bridges), ANSWER);
  return { missing, changed: { ...changed, ...modes?.changed }, unanswered: modes?.unanswered };
}

/** Live rows and flows; undefined without a trace of both. */
export async function liveHost(subject: Subject, desired: HostRendered): Promise<Live | undefined> {
  const applied = await appliedTo(await clientOf(subject), subject.urn);
  const { sequence } = applied;
  const rows = await ROWS.read(rowSubject(subject), { set: desired.rows });
  const flows = await liveFlows(subject, desired, rows);
  if (!rows && !flows) return undefined;
  const drift = {
    ...rows?.drift,
    ...(flows ? flows.drift : { flows: "missing" }),
    ...(await disabling(subject, desired.fallback)),
    ...(await misnumbered(subject, desired)),
    ...(await agentDrift(subject, desired, applied)),
  };
  const found = both(rows?.digest ?? "missing", flows?.digest ?? "missing");
  const digest = seenDigest(desired, desired.agent ? both(found, "agent") : found, drift);
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
function seenDigest(desired: HostRendered, written: string, drift: Lines): string {
  if (written !== writtenDigest(desired)) return written;
  return Object.keys(drift).length > 0 ? both(written, JSON.stringify(drift)) : hostDigest(desired);
}

async function agentDrift(subject: Subject, desired: HostRendered, applied: Applied): Promise<Lines> {
  if (!desired.agent) return {};
  const problem = await keptProblem(subject, keptText(subject.urn, desired, applied));
  return problem === undefined ? {} : { agent: `its file is ${problem}` };
}

/** A flow with a deleted port can't be compared with the switch's; the port's row shows the problem. */
async function liveFlows(subject: Subject, { flows }: HostRendered, rows: Live | undefined): Promise<Live | undefined> {
  try {
    return await FLOWS.read(subject, { set: flows });
  } catch (error) {
    const portsAreWrong = rows === undefined || Object.keys(rows.drift).length > 0;
    if (!portsAreWrong || !(error instanceof FlowError) || error.code !== "OVN_FLOW_REFUSED") throw error;
    return { lines: {}, digest: "unknown", drift: { flows: "not known while ports are missing" } };
  }
}

/** Broken interfaces that put the fallback in force, by label. */
export async function disabling(subject: Subject, fallback: Fallback | undefined): Promise<Record<string, string>> {
  if (fallback === undefined || fallback.interfaces.length === 0) return {};
  const broken = await brokenInterfaces(await clientOf(subject), fallback.interfaces);
  return Object.fromEntries(Object.entries(broken).map(([name, problem]) => [`Interface ${name}`, problem]));
}

/** Interfaces with another OpenFlow port number than flows use, by label. */
export async function misnumbered(subject: Subject, { numbers }: HostRendered): Promise<Record<string, string>> {
  if (numbers === undefined) return {};
  const found = await otherNumbers(await clientOf(subject), numbers);
  return Object.fromEntries(Object.entries(found).map(([name, problem]) => [`Interface ${name}`, problem]));
}
