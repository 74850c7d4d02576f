import { naturalKey } from "@pulumi-ovn/provider/tools";
import type { Row } from "./database";

/** Characters that need no quoting anywhere: in URNs, in previews, in shells. */
const UNUSUAL = /[^A-Za-z0-9._:/@%+-]+/g;
const LONGEST = 60;

/** Words for rows without a name, from the columns that make a row what it is. */
const WORDS: Readonly<Record<string, { readonly word: string; readonly columns: readonly string[] }>> = {
  ACL: { word: "acl", columns: ["direction", "priority"] },
  DHCP_Options: { word: "dhcp", columns: ["cidr"] },
  DNS: { word: "dns", columns: [] },
  Load_Balancer_Health_Check: { word: "health", columns: ["vip"] },
  Logical_Router_Policy: { word: "policy", columns: ["priority"] },
  Logical_Router_Static_Route: { word: "route", columns: ["ip_prefix"] },
  NAT: { word: "nat", columns: ["type", "logical_ip"] },
  QoS: { word: "qos", columns: ["direction", "priority"] },
  Static_MAC_Binding: { word: "mac-binding", columns: ["logical_port", "ip"] },
};

/** Descriptive name of the row. Several rows may have the same name. */
export function callRow({ table, columns }: Row): string {
  if (typeof columns.name === "string" && columns.name !== "") return plain(columns.name);
  const { word = table.toLowerCase().replaceAll("_", "-"), columns: telling = naturalKey(table)?.columns ?? [] } = WORDS[table] ?? {};
  const values = telling.map((name) => columns[name]).filter((value) => typeof value === "string" || typeof value === "number");
  return plain([word, ...values].join("-"));
}

function plain(text: string): string {
  // Two colons end a part of a URN.
  const word = text
    .replace(UNUSUAL, "-")
    .replace(/:{2,}/g, "-")
    .slice(0, LONGEST)
    .replace(/^-+|-+$/g, "");
  return word === "" || word === "__proto__" ? `row-${word}` : word;
}

/** Gives every name once; the second that is called the same gets a number. */
export class UniqueNames {
  readonly #taken = new Set<string>();
  readonly #next = new Map<string, number>();

  constructor(reserved: Iterable<string> = []) {
    for (const name of reserved) this.#taken.add(name);
  }

  take(wanted: string, separator = "-"): string {
    let name = wanted;
    let number = this.#next.get(wanted) ?? 2;
    for (; this.#taken.has(name); number++) name = `${wanted}${separator}${number}`;
    this.#next.set(wanted, number);
    this.#taken.add(name);
    return name;
  }
}

/** Words that can't be the name of a constant in a module, and what the program itself uses. */
const RESERVED =
  "ovn pulumi arguments await break case catch class const continue debugger default delete do else enum eval export extends false finally for function if implements import in instanceof interface let new null package private protected public return static super switch this throw true try typeof undefined var void while with yield exports require module Object Promise";

export function constantNames(): UniqueNames {
  return new UniqueNames(RESERVED.split(" "));
}

/** `node1-blue_transit_router` becomes `node1BlueTransitRouter`. */
export function constantName(resource: string): string {
  const words = resource.split(/[^A-Za-z0-9]+/).filter(Boolean);
  const name = words.map((word, index) => (index === 0 ? word[0]!.toLowerCase() : word[0]!.toUpperCase()) + word.slice(1)).join("");
  return /^[a-z]/.test(name) ? name : `row${name}`;
}
