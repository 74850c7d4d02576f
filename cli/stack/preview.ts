import { unpacked } from "@pulumi-ovn/provider/tools";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { listsIn, withMembers } from "./members";
import type { StackResource } from "./resource";

/** Result of a preview. */
export interface Preview {
  /** The stack as its state has it. */
  readonly before: readonly StackResource[];
  /** The stack as the program and the configuration want it. */
  readonly after: readonly StackResource[];
  /** URNs of resources that would be created, updated, replaced or deleted. */
  readonly changing: readonly string[];
}

const DELETIONS = new Set(["delete", "delete-replaced", "discard-replaced", "remove-pending-replace"]);
const QUIET = new Set(["same", "read", "read-replacement", "read-discard"]);
/** Operation that only reads (`refresh: always` in Pulumi.yaml). A further step of the resource contains the change. */
const REFRESH = "refresh";

/** Gathers the events of a preview. */
export class Seen {
  readonly #before = new Map<string, StackResource>();
  readonly #after = new Map<string, StackResource>();
  readonly #changing = new Set<string>();

  event({ resourcePreEvent }: EngineEvent): void {
    if (!resourcePreEvent) return;
    const { op, urn, old, new: wanted } = resourcePreEvent.metadata;
    if (old && !this.#before.has(urn)) this.#before.set(urn, resource(urn, old));
    if (op === REFRESH) return;
    if (wanted && !DELETIONS.has(op)) this.#after.set(urn, resource(urn, wanted));
    if (!QUIET.has(op)) this.#changing.add(urn);
  }

  preview(): Preview {
    const lists = listsIn([...this.#before.values(), ...this.#after.values()]);
    const whole = (resources: ReadonlyMap<string, StackResource>) => [...resources.values()].map((resource) => withMembers(resource, lists));
    return { before: whole(this.#before), after: whole(this.#after), changing: [...this.#changing] };
  }
}

function resource(urn: string, { type, parent, inputs, outputs }: NonNullable<StepEventMetadata["old"]>): StackResource {
  const given = (properties: unknown) => (properties ?? {}) as Readonly<Record<string, unknown>>;
  return { urn, type, parent, inputs: given(inputs), outputs: unpacked(given(outputs)) };
}
