const TYPE_PREFIX = "pulumi-nodejs:dynamic/ovn:";

/** Parts of a resource that the policies read: a program's or the state's. */
export interface OvnResource {
  readonly type: string;
  readonly urn: string;
  readonly name: string;
  readonly props: Readonly<Record<string, any>>;
}

/** The kind of a resource of this provider, such as "GatewayRouter"; undefined for other resources. */
export const kindOf = (type: string): string | undefined => (type.startsWith(TYPE_PREFIX) ? type.slice(TYPE_PREFIX.length) : undefined);

/** The target of a resource as text, such as `zone "node1"`; undefined for resources of the stack only. */
export function targetOf(props: OvnResource["props"]): string | undefined {
  for (const kind of ["zone", "host", "cluster"]) if (typeof props[kind] === "string") return `${kind} "${props[kind]}"`;
  return undefined;
}
