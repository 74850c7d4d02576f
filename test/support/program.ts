import * as pulumi from "@pulumi/pulumi";
import { type Entries, referenceTo } from "@pulumi-ovn/provider/testing";
import { MEMBERS_KIND } from "@pulumi-ovn/provider/tools";

export interface Registered {
  readonly kind: string;
  readonly name: string;
  /** Checked values as they were registered; what is not known yet is left out. */
  readonly inputs: Record<string, unknown>;
}

/**
 * Resources that a program registers, sorted by name, with mocks instead of the engine.
 * @param outputs of resources by kind, if the program needs them. `id` replaces the default id, which is the name; "" means not known yet.
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
  await pulumi.runtime.disconnect(); // waits for all registrations in progress
  return resources.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** An output whose value is known in a later turn of the event loop. */
export const later = <T>(value: T) => pulumi.output(new Promise<T>((resolve) => setImmediate(() => resolve(value)))) as unknown as pulumi.Output<T>;

/** The error text of a program that fails (undefined if the program succeeds), and the resources registered nevertheless. */
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
export function references(name: string, inputs: Record<string, unknown>): Record<string, unknown> {
  const lists = Object.entries(inputs).filter(([, entries]) => typeof entries === "object");
  return Object.fromEntries(
    lists.map(([list, entries]) => [list, pulumi.containsUnknowns(entries) ? pulumi.unknown : referenceTo(list, name, entries as Entries)]),
  );
}
