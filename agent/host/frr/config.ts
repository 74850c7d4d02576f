import type { Family } from "@pulumi-ovn/provider/agent";
import type { LiveBgp, Redistributed } from "../live";

/** Route-map of the agent's `redistribute` lines. It permits every route; its name distinguishes these lines from an operator's. */
export const MARK = "pulumi-ovn-agent";

/** Tag of the routes that the agent's lines redistribute. It is local to bgpd: neighbours do not receive it. */
export const TAG = 87;

/** The first version that announces a kernel table by itself; older ones have zebra import it, which IPv6 routes are not. */
export const TABLE_DIRECT = 10;

/** Pure. The major version, from the first line of `show version`; null: this is not FRR. */
export function versionIn(text: string): number | null {
  const [, major] = /^FRRouting (\d+)\./m.exec(text) ?? [];
  return major === undefined ? null : Number(major);
}

/** Pure. Whether the marking route-map is in a running configuration. */
export const hasMark = (text: string): boolean => text.split("\n").includes(`route-map ${MARK} permit 10`);

/** Pure. Whether the marking route-map sets the tag. */
export const hasTag = (text: string): boolean => new RegExp(`^route-map ${MARK} permit 10\n(?: .*\n)*? set tag ${TAG}$`, "m").test(text.replaceAll("\r", ""));

/** Pure. Tables that zebra imports, from its running configuration. */
export const importedIn = (text: string): number[] => [...text.matchAll(/^ip import-table (\d+)/gm)].map(([, table]) => Number(table));

/** Pure. The BGP instance without VRF or view, from bgpd's running configuration. Null if there is no such instance. */
export function bgpIn(text: string): LiveBgp | null {
  const lines = linesOf(text);
  const begin = lines.findIndex((line) => INSTANCE.test(line));
  if (begin < 0) return null;
  const block = blockOf(lines, begin);
  const redistributed: Record<Family, Redistributed[]> = { 4: [], 6: [] };
  const otherSources = new Set<Family>();
  for (const { family, line } of block) {
    const [, how, table, more] = /^ +redistribute (table-direct|table) (\d+)(.*)$/.exec(line) ?? [];
    if (how === undefined && family !== undefined && /^ +redistribute /.test(line)) otherSources.add(family);
    if (how !== undefined && family !== undefined)
      redistributed[family].push({ how: how as Redistributed["how"], table: Number(table), own: more!.includes(` route-map ${MARK}`) });
  }
  const [, asNumber] = INSTANCE.exec(lines[begin]!)!;
  const routerId = block.map(({ line }) => /^ bgp router-id (\S+)$/.exec(line)?.[1]).find((id) => id !== undefined);
  const neighbors = block.flatMap(({ line }) => /^ neighbor ([0-9a-fA-F.:]+) (?:remote-as|peer-group) /.exec(line)?.[1] ?? []);
  return { asNumber: asNumberOf(asNumber!), routerId: routerId ?? null, neighbors: [...new Set(neighbors)], redistributed, otherSources: [...otherSources] };
}

export const FAMILIES: readonly Family[] = [4, 6];

export const linesOf = (text: string): string[] => text.split("\n").map((line) => line.trimEnd());

/** Pure. The lines of the instance that begins at an index, each with its unicast family, if it is in one. */
export function blockOf(lines: readonly string[], begin: number): { readonly family: Family | undefined; readonly line: string }[] {
  // They are indented, or comments between them.
  const length = lines.slice(begin + 1).findIndex((line) => !/^[ !]/.test(line));
  let family: Family | undefined;
  return lines.slice(begin + 1, length < 0 ? undefined : begin + 1 + length).map((line) => {
    const [, opened] = /^ address-family (.*)$/.exec(line) ?? [];
    if (opened !== undefined) family = opened === "ipv4 unicast" ? 4 : opened === "ipv6 unicast" ? 6 : undefined;
    else if (line === " exit-address-family") family = undefined;
    return { family, line };
  });
}

/** The instance without VRF or view. */
export const INSTANCE = /^router bgp ([\d.]+)(?: as-notation \S+)?$/;

/** Numbers are also written in two halves (RFC 5396). */
export function asNumberOf(text: string): number {
  const [first = "", second] = text.split(".");
  return second === undefined ? Number(first) : Number(first) * 65_536 + Number(second);
}
