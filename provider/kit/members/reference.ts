import { canonical } from "../arguments/unknown";
import { typeToken } from "../provider-text";
import { digestOf } from "../digest";

/** A list that all zones of a network share: entries by name. */
export type Entries = Readonly<Record<string, unknown>>;

/** Kind of the resource that holds the lists of a network. */
export const MEMBERS_KIND = "NetworkMembers";

const REFERENCE = /^\w+ of (.+): \d+, digest (\S+)$/s;

/** Reference of a zone's resource to a list: readable, and equal for equal lists. */
export function referenceTo(list: string, resource: string, entries: Entries): string {
  return `${list} of ${resource}: ${Object.keys(entries).length}, digest ${digestOf(`${list}\n${canonical(entries)}`)}`;
}

/** Digest in a reference; undefined for other values. */
export function digestIn(reference: unknown): string | undefined {
  return REFERENCE.exec(String(reference))?.[2];
}

/** Identity of the referenced list, without its contents; undefined for other values. */
export function listIn(reference: unknown): string | undefined {
  return REFERENCE.test(String(reference)) ? String(reference).slice(0, String(reference).lastIndexOf(": ")) : undefined;
}

/** An operation needs a list, and leaves out the resource that holds it. */
export class MembersError extends Error {
  readonly code = "OVN_MEMBERS";

  /** @param urn of the resource that refers to the list, which is a sibling of the one that holds it */
  constructor(urn: string, reference: unknown) {
    super(
      `the ${String(reference)} are not known, because this operation leaves out the resource that holds them: add --target '${siblingOf(urn, reference)}'`,
    );
    this.name = "MembersError";
  }
}

function siblingOf(urn: string, reference: unknown): string {
  const [stack = "", project = "", types = ""] = urn.split("::");
  const parents = types.slice(0, types.lastIndexOf("$") + 1);
  return [stack, project, parents + typeToken(MEMBERS_KIND), REFERENCE.exec(String(reference))?.[1] ?? ""].join("::");
}
