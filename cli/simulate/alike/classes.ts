import { hash } from "node:crypto";
import type { Identities, Renaming } from "./identities";
import { Prefixes } from "./prefixes";
import { itemsOf } from "./tokens";

/** Comparisons and parts of addresses, for which equal prefixes are not enough. `eth.src[40]` is `eth.mcast`. */
const COMPARED = /\b(?:ip4|ip6|eth|arp|nd)\.\w+\s*(?:\[(?!40\])|<(?!->)|>)|(?:<|(?<!<-)>)=?\s*(?:ip4|ip6|eth|arp|nd)\./;

/**
 * Pure. The class of each port: two ports of a class can change their names and addresses without a change of any text, except for its
 * order. So OVN treats a packet between two ports as it treats one between two others of the same classes.
 *
 * @param texts all flows and all other rows that decide about packets. Names of ports are in double quotes, lists in braces.
 */
export function classesOf(identities: Identities, texts: Iterable<string>): ReadonlyMap<string, string> {
  const views = new Map([...identities.ports].map((port) => [port, [] as string[]]));
  const prefixes = new Prefixes();
  let comparing = false;
  for (const text of texts) {
    comparing ||= COMPARED.test(text);
    if (text.includes("/")) for (const item of itemsOf(text)) if (item.includes("/") && !item.startsWith('"')) prefixes.add(item);
    for (const [port, view] of identities.views(text)) views.get(port)!.push(view);
  }
  return new Map(
    [...views].map(([port, own]) => {
      if (comparing || identities.ambiguous.has(port)) return [port, JSON.stringify(port)];
      const inside = identities.addressesOf(port).map((address) => prefixes.of(address));
      return [port, hash("sha1", JSON.stringify([own.sort(), inside]), "base64")];
    }),
  );
}

/** Ports of a zone by class. */
export class Classes {
  readonly #ports: ReadonlyMap<string, readonly string[]>;

  constructor(private readonly classes: ReadonlyMap<string, string>) {
    this.#ports = Map.groupBy([...classes.keys()].sort(), (port) => classes.get(port)!);
  }

  /** A renaming by which the first ports of each class have the roles of these ports. */
  toFirst(ports: Iterable<string>): Renaming {
    const renaming = new Map<string, string>();
    const used = new Map<string, number>();
    for (const port of ports) {
      const own = this.classes.get(port);
      if (own === undefined) continue; // a port without addresses
      const count = used.get(own) ?? 0;
      used.set(own, count + 1);
      renaming.set(port, this.#ports.get(own)![count]!);
    }
    return completed(renaming);
  }
}

/** The renaming back. */
export function inverse(renaming: Renaming): Renaming {
  return new Map([...renaming].map(([from, to]) => [to, from]));
}

/** One to one also for the ports that were only aims. */
function completed(renaming: ReadonlyMap<string, string>): Renaming {
  const back = inverse(renaming);
  const free = [...renaming.keys()].filter((port) => !back.has(port));
  const all = new Map(renaming);
  for (const start of free) {
    let end = start;
    for (let next = renaming.get(end); next !== undefined; next = renaming.get(end)) end = next;
    all.set(end, start);
  }
  return new Map([...all].filter(([from, to]) => from !== to));
}
