import type { ResourceValidationPolicy } from "@pulumi/policy";
import { kindOf } from "./resource";

/** Fields of a match expression that say where a packet is or which family it has, not whose packet it is (ovn-sb(5), Logical_Flow match). */
const WEAK: ReadonlySet<string> = new Set(["inport", "outport", "eth", "ip", "ip4", "ip6"]);

/** Whether a match names no address, protocol, port or set, other than logical ports. */
const isOpen = (match: string): boolean =>
  match
    .replaceAll(/"(?:[^"\\]|\\.)*"|@[\w.]+/g, " ")
    .match(/\$?[A-Za-z_][\w.]*/g)
    ?.every((word) => WEAK.has(word)) ?? true;

interface Entry {
  readonly table?: string;
  readonly columns?: { readonly action?: string; readonly match?: string };
}
interface VpcRule {
  readonly number: number;
  readonly action: string;
  readonly direction: string;
}

/** Conditions of a rule of a Vpc, without its action and direction. */
const CONDITIONS = ["protocol", "cidrs", "ports", "icmpType"];

/** No rule allows everything. */
export const noAllowAll: ResourceValidationPolicy = {
  name: "no-allow-all",
  description: "A rule that allows packets names an address, a protocol or a port.",
  configSchema: {
    properties: {
      directions: { type: "array", items: { enum: ["ingress", "egress"] }, default: ["ingress"], description: "Directions of a Vpc's rules to check" },
    },
  },
  validateResource: ({ type, props, getConfig }, report) => {
    const kind = kindOf(type);
    if (kind === "NorthboundRows")
      for (const [name, { table, columns = {} }] of Object.entries((props["entries"] ?? {}) as Record<string, Entry>))
        if (table === "ACL" && columns.action?.startsWith("allow") && isOpen(columns.match ?? ""))
          report(`entries.${name}: the ACL allows every packet (match ${JSON.stringify(columns.match ?? "")}); name an address, a protocol or a port`);
    if (kind === "LogicalRouterBridge") {
      const { directions } = getConfig<{ directions: string[] }>();
      for (const [list, rules] of Object.entries((props["acls"] ?? {}) as Record<string, (VpcRule & Record<string, unknown>)[]>))
        for (const rule of rules)
          if (rule.action === "allow" && directions.includes(rule.direction) && CONDITIONS.every((condition) => rule[condition] === undefined))
            report(`acls.${list}: rule ${rule.number} allows every ${rule.direction} packet; name an address, a protocol or a port`);
    }
  },
};
