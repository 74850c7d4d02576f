import { rowKindOfType, TYPE_PREFIX } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { cleanerOf, contents, type Drifted, handlers, type MemberLists, parallel, secretPathsOf } from "@pulumi-ovn/provider/tools";
import { targetKind, targetName } from "../plan/target";
import { partsOf as partsOfUrn } from "../plan/steps";
import { listsIn } from "../stack/members";
import { type Counter, uncounted } from "../progress";
import { isEncrypted, type StackState, type StateResource } from "../stack/stack-state";
import { kindOf } from "../stack/rendering";
import { type DriftedResource, type DriftReport, EVERYTHING, type FailedResource, partOf, type Subject } from "./model";
import { Writers } from "./writers";

/** Compares each resource of a state with its target, by the read of `pulumi refresh`. Writes nothing. */
export async function readDrift(state: StackState, targets: Connections, count: Counter = uncounted): Promise<DriftReport> {
  // Pools, lists and waits have no digest: they are in the state only.
  const own = state.resources.filter(({ type, outputs }) => type.startsWith(TYPE_PREFIX) && typeof outputs.digest === "string");
  const members = listsIn(state.resources);
  const writers = new Writers(targets);
  const inOrder = own.toSorted((a, b) => (titleOf(a) < titleOf(b) ? -1 : 1));
  const [secret, open] = [inOrder.filter(isHidden), inOrder.filter((resource) => !isHidden(resource))];
  const done = count(open.length);
  const found = await parallel(open, async (resource) => {
    const result = await compared(resource, { targets, members, writers });
    done();
    return result;
  });
  return {
    project: state.project,
    stack: state.stack,
    compared: open.length,
    drifted: found.filter((each): each is DriftedResource => each !== undefined && "parts" in each),
    skipped: secret.map(subjectOf),
    failed: found.filter((each): each is FailedResource => each !== undefined && "message" in each),
  };
}

/** The state's own order depends on which resource was written first. */
function titleOf(resource: StateResource): string {
  return `${kindOf(resource)} ${resource.urn}`;
}

/** Whether a state has resources with secret arguments that are encrypted. */
export const needsDecryption = ({ resources }: StackState): boolean => resources.some(isHidden);

function isHidden({ type, outputs }: StateResource): boolean {
  return type.startsWith(TYPE_PREFIX) && outputs.redact !== undefined && isEncrypted(outputs);
}

interface Surroundings {
  readonly targets: Connections;
  readonly members: MemberLists;
  readonly writers: Writers;
}

async function compared(resource: StateResource, { targets, members, writers }: Surroundings): Promise<DriftedResource | FailedResource | undefined> {
  const subject = subjectOf(resource);
  const { id, outputs } = resource;
  const properties = contents({ ...outputs });
  const secrets = secretPathsOf(outputs.redact);
  const clean = cleanerOf(() => [{ properties, secrets }]);
  try {
    const handler = handlers[kindOf(resource)];
    if (!handler) throw new Error(`this release has no kind ${kindOf(resource)}`);
    const read = await handler.read({ id, urn: String(outputs.owner), secrets, targets, members, olds: properties });
    const drifted: readonly Drifted[] = read ? (read.drifted ?? []) : [{ label: EVERYTHING, difference: "missing" }];
    if (drifted.length === 0) return undefined;
    const database = rowKindOfType(resource.type)?.database ?? "Open_vSwitch";
    // The comment of a transaction may contain another value of a secret argument.
    const writer = (trace: Drifted["trace"]) => (secrets.length > 0 ? undefined : writers.of(trace, subject.target, database));
    const parts = await Promise.all(drifted.map(async (part) => partOf(part, await writer(part.trace))));
    return { ...subject, parts: parts.toSorted((a, b) => (a.label < b.label ? -1 : 1)) };
  } catch (error) {
    const { code } = error as { code?: unknown };
    const message = clean((error as Error).message);
    return { ...subject, message: typeof code === "string" && !message.startsWith(code) ? `${code}: ${message}` : message };
  }
}

function subjectOf(resource: StateResource): Subject {
  const { urn, outputs } = resource;
  const kind = targetKind({ inputs: outputs });
  const target = targetName({ inputs: outputs }, kind);
  return { urn, kind: kindOf(resource), name: partsOfUrn(urn).name, target: target === undefined ? undefined : { kind, name: target } };
}
