/** What a resource's state says of its provider: a constant that loads the installed package. A change of it replaces every resource. */
export function providerText(kind: string): string {
  return `exports.handler=()=>require("pulumi-ovn/runtime").provider("${kind}")`;
}
