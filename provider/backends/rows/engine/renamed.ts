/**
 * Advice if the owner of a row can be the resource itself under its former name: a resource of the same stack and type. Empty if
 * it can't be.
 */
export function renameAdvice(urn: string, owner: string): string {
  const [now, before] = [urn.split("::"), owner.split("::")];
  const [name, former] = [now.pop(), before.pop()];
  if (now.length < 3 || name === former || now.join("::") !== before.join("::")) return "";
  // A URN has the type of the component that a resource is in, but not its name.
  if (now.at(-1)!.includes("$")) return "if the component was renamed, give it its former name as an alias, aliases: [{ name: ... }]; otherwise ";
  return `if the resource was renamed, set its option aliases: [{ name: ${JSON.stringify(former)} }]; otherwise `;
}
