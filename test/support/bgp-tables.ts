/** Prints what bgpd knows of either family, in one run: to start is most of vtysh's work. */
export const SHOW_TABLES = "vtysh -c 'show bgp ipv4 unicast json' -c 'show bgp ipv6 unicast json'";

/** Paths by their prefix. */
type Table = Readonly<Record<string, readonly { readonly peerId: string }[]>>;

/** Pure. Of what {@link SHOW_TABLES} has printed, the table of each family; an answer that lacks one fails. */
export function tablesIn(text: string): Table[] {
  const objects = objectsIn(text);
  if (objects.length !== 2) throw new Error(`these are not the tables of two families: ${text}`);
  return objects.map((object) => (JSON.parse(object) as { routes?: Table }).routes ?? {});
}

/** Prefixes of both families, in one order. */
export const prefixesIn = (text: string): string[] =>
  tablesIn(text)
    .flatMap((table) => Object.keys(table))
    .sort();

/** Objects that stand one after the other, in whose texts there are no braces. */
function objectsIn(text: string): string[] {
  const objects: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{" && depth++ === 0) start = index;
    if (brace === "}" && --depth === 0) objects.push(text.slice(start, index + 1));
  }
  return objects;
}
