import { type Family, WIDTH } from "@pulumi-ovn/provider/agent";
import type { LiveAddress, LiveNeighbor, LiveProxy, LiveRoute, LiveRule } from "../live";
import { familyOf, PROTOCOL } from "./names";

type Json = Readonly<Record<string, unknown>>;

/**
 * Pure. Parses the output of one command of `ip -json -batch`: a list on one line. Older releases print an unclosed list for a table
 * that does not exist.
 */
export function listOf(line: string | undefined): Json[] {
  return line === undefined || line.trim() === "[" ? [] : (JSON.parse(line) as Json[]);
}

const text = (value: unknown): string | null => (typeof value === "string" ? value : null);
const number = (value: unknown): number | null => (typeof value === "number" || typeof value === "string" ? Number(value) : null);
const owned = ({ protocol }: Json): boolean => number(protocol) === PROTOCOL;

/** @param table of the command, which is not printed where it is asked for one */
export function routeOf(family: Family, row: Json, table: number | undefined): LiveRoute {
  const destination = String(row["dst"]) === "default" ? (family === 4 ? "0.0.0.0/0" : "::/0") : String(row["dst"]);
  return {
    table: table ?? number(row["table"]) ?? MAIN,
    destination: destination.includes("/") ? destination : `${destination}/${WIDTH[family]}`,
    device: text(row["dev"]) ?? "",
    via: text(row["gateway"]),
    metric: number(row["metric"]),
    plain: (text(row["type"]) ?? "unicast") === "unicast" && row["nexthops"] === undefined && row["via"] === undefined,
    own: owned(row),
  };
}

/** Numbers are asked for; routes of this table are printed without. */
const MAIN = 254;

/** Fields of a rule that matches all packets. Any other field (`iif`, `fwmark`, `dst`) restricts the rule. */
const RULE_FIELDS = new Set(["priority", "src", "table", "protocol"]);

export function ruleOf(family: Family, row: Json): LiveRule {
  return {
    family,
    priority: number(row["priority"]) ?? 0,
    table: number(row["table"]) ?? 0,
    plain: row["src"] === "all" && Object.keys(row).every((name) => RULE_FIELDS.has(name)),
    own: owned(row),
  };
}

/** @param owners whether addresses have owners here; without, those of the agent's range with the length of a host are the agent's */
export function addressesOf(row: Json, owners: boolean): LiveAddress[] {
  return ((row["addr_info"] ?? []) as Json[]).flatMap((info): LiveAddress[] => {
    const address = text(info["local"]);
    if (address === null) return [];
    const length = number(info["prefixlen"]);
    const own = owners ? owned(info) : length === WIDTH[familyOf(address)];
    return [{ device: String(row["ifname"]), address: `${address}/${length}`, own }];
  });
}

export function neighborOf(row: Json): LiveNeighbor {
  return { device: String(row["dev"]), address: String(row["dst"]), mac: text(row["lladdr"]) ?? "", own: owned(row) };
}

export function proxyOf(row: Json): LiveProxy {
  return { device: String(row["dev"]), address: String(row["dst"]), own: owned(row) };
}
