/** Prefix of the types of resources. */
export const TYPE_PREFIX = "pulumi-nodejs:dynamic/ovn:";

/** Kinds that had another name in an earlier release. States have it still: in types, in provider texts, in owners' URNs. */
const FORMER: Readonly<Record<string, string>> = { Layer2Switch: "LayerTwoSwitch" };
const RENAMED: ReadonlyMap<string, string> = new Map(Object.entries(FORMER).map(([kind, former]) => [former, kind]));

/** The type of a kind's resources: `pulumi-nodejs:dynamic/ovn:TransitRouter`. */
export function typeToken(kind: string): string {
  return `${TYPE_PREFIX}${kind}`;
}

/** The types that a kind's resources had in earlier releases: their aliases. */
export function formerTypes(kind: string): string[] {
  return Object.hasOwn(FORMER, kind) ? [typeToken(FORMER[kind]!)] : [];
}

/** The kind, by its name of today, that a type or its last part names. */
export function kindOfType(type: string): string {
  const name = type.slice(type.lastIndexOf(":") + 1);
  return RENAMED.get(name) ?? name;
}

/**
 * Provider text in a resource's state: a constant that loads the installed package. It never changes, even if the kind is renamed: Pulumi
 * compares it, and an older release could not serve the resource otherwise.
 */
export function providerText(kind: string): string {
  return `exports.handler=()=>require("pulumi-ovn/runtime").provider("${Object.hasOwn(FORMER, kind) ? FORMER[kind] : kind}")`;
}
