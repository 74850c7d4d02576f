/** A resource of a stack as an engine's preview or state has it. */
export interface StackResource {
  readonly urn: string;
  readonly type: string;
  readonly parent: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  /** As the state has them; none where the resource is yet to be made. */
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/** The name in a URN. */
export function nameOf(urn: string): string {
  return urn.slice(urn.lastIndexOf("::") + 2);
}
