const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(" ");

/** Each answer ends with three zeros and the status. (vtysh_client_run of FRR) */
const TALK = `use Socket; socket(my $vty, PF_UNIX, SOCK_STREAM, 0) or die $!; connect($vty, pack_sockaddr_un(shift)) or die "bgpd: $!\\n";
for ("enable", @ARGV) {
  syswrite $vty, "$_\\0";
  my $text = "";
  until ($text =~ /\\0{3}.\\z/s) { sysread $vty, $text, 65536, length $text or die "bgpd has ended\\n" }
  my $status = ord chop $text;
  $text = substr $text, 0, -3;
  $status and die "$_: $text\\n";
  print $text;
}`;

/**
 * Makes the shell command that prints what bgpd answers, by its socket, to commands without quotes, one after the other. vtysh reads
 * the grammar of all commands when it starts, which is more work than what they ask for.
 */
export const bySocketAt =
  (path: string) =>
  (...commands: readonly string[]): string =>
    `perl -e ${quoted([TALK, path, ...commands])}`;

/** The same for bgpd of the own namespace. */
export const bySocket = bySocketAt("/run/frr/bgpd.vty");

/** Prints what bgpd knows of either family. */
export const SHOW_TABLES = bySocket("show bgp ipv4 unicast json", "show bgp ipv6 unicast json");

/** Prints bgpd's tables of both families with the details of each path. */
export const SHOW_PATHS = bySocket("show bgp ipv4 unicast json detail", "show bgp ipv6 unicast json detail");

/** Pure. Seconds since 1970 of the last update of each path in the output of {@link SHOW_PATHS}. */
export const updateTimes = (text: string): number[] => [...text.matchAll(/"lastUpdate":\s*\{\s*"epoch":(\d+)/g)].map(([, epoch]) => Number(epoch));

/** Pure. Times that differ. FRR subtracts an age from the time, both in whole seconds, so the time of an unchanged path may differ by one. */
export const laterUpdates = (before: readonly number[], after: readonly number[]): number[] => after.filter((time, path) => Math.abs(time - before[path]!) > 1);

/** Paths by their prefix. */
type Table = Readonly<Record<string, readonly { readonly peerId: string }[]>>;

/** Pure. Tables of both families in the output of {@link SHOW_TABLES}; fails if one is missing. */
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

/** Consecutive JSON objects whose texts contain no braces. */
function objectsIn(text: string): string[] {
  const objects: string[] = [];
  let [depth, start] = [0, 0];
  for (const { 0: brace, index } of text.matchAll(/[{}]/g)) {
    if (brace === "{" && depth++ === 0) start = index;
    if (brace === "}" && --depth === 0) objects.push(text.slice(start, index + 1));
  }
  return objects;
}
