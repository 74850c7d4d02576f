import * as pulumi from "@pulumi/pulumi";
import { type Entries, MEMBERS_KIND, referenceTo } from "../../provider/members";

export interface Registered {
  readonly kind: string;
  readonly name: string;
  /** Checked values as they were registered; what is not known yet is left out. */
  readonly inputs: Record<string, unknown>;
}

/** What a program registers, by name, with mocks in place of the engine. */
export async function registeredBy(program: () => void, preview = false): Promise<Registered[]> {
  const resources: Registered[] = [];
  const newResource = ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
    resources.push({ kind: type.split(":").pop()!, name, inputs: inputs as Record<string, unknown> });
    const lists = type.endsWith(`:${MEMBERS_KIND}`) ? { lists: references(name, inputs as Record<string, unknown>) } : {};
    return { id: name, state: { uuid: `uuid of ${name}`, digest: "known", revision: "known", ...(inputs as Record<string, unknown>), ...lists } };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", preview);
  program();
  await pulumi.runtime.disconnect(); // waits for all that is under way
  return resources.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** As the provider has them. */
function references(name: string, inputs: Record<string, unknown>): Record<string, unknown> {
  const lists = Object.entries(inputs).filter(([, entries]) => typeof entries === "object");
  return Object.fromEntries(lists.map(([list, entries]) => [list, pulumi.containsUnknowns(entries) ? pulumi.unknown : referenceTo(list, name, entries as Entries)]));
}
