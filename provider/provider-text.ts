/** What types of resources begin with. */
export const TYPE_PREFIX = "pulumi-nodejs:dynamic/ovn:";

/** The type of a kind's resources: `pulumi-nodejs:dynamic/ovn:TransitRouter`. */
export function typeToken(kind: string): string {
  return `${TYPE_PREFIX}${kind}`;
}

/** What a resource's state says of its provider: a constant that loads the installed package. A change of it replaces every resource. */
export function providerText(kind: string): string {
  return `exports.handler=()=>require("pulumi-ovn/runtime").provider("${kind}")`;
}
