import * as pulumi from "@pulumi/pulumi";
import { type Entries, MEMBERS_KIND, referenceTo } from "../../provider/kit/members";

export interface Registered {
  readonly kind: string;
  readonly name: string;
  /** Checked values as they were registered; what is not known yet is left out. */
  readonly inputs: Record<string, unknown>;
}

/**
 * What a program registers, by name, with mocks in place of the engine.
 * @param outputs of resources, by kind, as far as the program needs them; the id, which is the name, may be another one, or "" for one that is not known yet
 */
export async function registeredBy(
  program: () => void,
  preview = false,
  outputs: Readonly<Record<string, { readonly id?: string; readonly [output: string]: unknown }>> = {},
): Promise<Registered[]> {
  const resources: Registered[] = [];
  const newResource = ({ type, name, inputs }: pulumi.runtime.MockResourceArgs) => {
    const kind = type.split(":").pop()!;
    resources.push({ kind, name, inputs: inputs as Record<string, unknown> });
    const lists = type.endsWith(`:${MEMBERS_KIND}`) ? { lists: references(name, inputs as Record<string, unknown>) } : {};
    const { id = name, ...own } = outputs[kind] ?? {};
    return { id, state: { uuid: `uuid of ${name}`, digest: "known", revision: "known", ...(inputs as Record<string, unknown>), ...lists, ...own } };
  };
  await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", preview);
  program();
  await pulumi.runtime.disconnect(); // waits for all that is under way
  return resources.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** What a stack author is told of a program that ends, undefined of one that does not, and what is registered all the same. */
export async function refusalOf(
  program: () => void,
  outputs?: Parameters<typeof registeredBy>[2],
): Promise<{ readonly text: string | undefined; readonly made: readonly Registered[] }> {
  let text: string | undefined;
  const made = await registeredBy(
    () => {
      try {
        program();
      } catch (error) {
        text = (error as Error).message;
      }
    },
    false,
    outputs,
  );
  return { text, made };
}

/** As the provider has them. */
function references(name: string, inputs: Record<string, unknown>): Record<string, unknown> {
  const lists = Object.entries(inputs).filter(([, entries]) => typeof entries === "object");
  return Object.fromEntries(
    lists.map(([list, entries]) => [list, pulumi.containsUnknowns(entries) ? pulumi.unknown : referenceTo(list, name, entries as Entries)]),
  );
}
