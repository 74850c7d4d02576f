import { hash } from "node:crypto";
import { itemsOf, partsOf, replaceItems, replaceTokens, splitPort } from "./tokens";

/** A switch port with addresses: a workload's own port or its twin in another zone. */
export interface AddressedPort {
  readonly name: string;
  readonly switch: string;
  /** "" for a workload's own port. (ovn-nb(5), Logical_Switch_Port) */
  readonly type: string;
  readonly mac: string;
  readonly addresses: readonly string[];
}

/** Another port for each port, one to one. Ports without an entry stay. */
export type Renaming = ReadonlyMap<string, string>;

interface Found {
  readonly port: string;
  readonly slot: number;
}

/** The names and addresses by which flows of a zone distinguish its ports. */
export class Identities {
  readonly #slots = new Map<string, readonly string[]>();
  readonly #found = new Map<string, Found>();
  /** First characters of all names and addresses: most items of a text begin with another one. */
  readonly #initials = new Set<string>();
  /** Ports that have a name or an address in common with another one. */
  readonly ambiguous: ReadonlySet<string>;

  constructor(readonly addressed: readonly AddressedPort[]) {
    for (const [name, own] of Map.groupBy(addressed, (port) => port.name)) this.#slots.set(name, [JSON.stringify(name), ...own.flatMap(textsOf)]);
    const ambiguous = new Set<string>();
    for (const [port, texts] of this.#slots)
      for (const [slot, text] of texts.entries()) {
        const other = this.#found.get(text);
        if (other !== undefined) ambiguous.add(port).add(other.port);
        this.#found.set(text, { port, slot });
        this.#initials.add(text.charAt(0));
      }
    this.ambiguous = ambiguous;
  }

  /** Names of all ports. */
  get ports(): Iterable<string> {
    return this.#slots.keys();
  }

  /** Addresses of a port, also of its link layer. */
  addressesOf(port: string): readonly string[] {
    return this.#slots.get(port)!.slice(1);
  }

  /** Ports that a text of OVN names, in their order. */
  portsIn(text: string): ReadonlySet<string> {
    return new Set(itemsOf(text).flatMap((item) => this.#find(item)?.port ?? []));
  }

  /** The text as it is if the ports have changed their roles. Lists of several ports are sets whose elements all change roles or none. */
  renamed(text: string, renaming: Renaming): string {
    const item = (token: string): string => {
      const found = this.#find(token);
      const port = found && renaming.get(found.port);
      return port === undefined ? token : `${this.#slots.get(port)![found!.slot]!}${splitPort(token)[1]}`;
    };
    return replaceTokens(text, (token) => (!token.startsWith("{") ? item(token) : this.portsIn(token).size > 1 ? token : replaceItems(token, item)));
  }

  /**
   * The text from the view of each port that it names: without the port's own names and addresses. Equal for two ports if it treats both
   * alike.
   */
  views(text: string): ReadonlyMap<string, string> {
    const parts = partsOf(text);
    const seen = new Map<string, string[]>();
    for (let index = 1; index < parts.length; index += 2)
      for (const [port, own] of this.#viewsOfToken(parts[index]!)) {
        const view = seen.get(port) ?? [...parts];
        seen.set(port, view);
        view[index] = own;
      }
    return new Map([...seen].map(([port, view]) => [port, view.join("")]));
  }

  #viewsOfToken(token: string): Iterable<readonly [port: string, view: string]> {
    const own = (item: string): readonly [string, string][] => {
      const found = this.#find(item);
      return found === undefined ? [] : [[found.port, `<${found.slot}>${splitPort(item)[1]}`]];
    };
    if (!token.startsWith("{")) return own(token);
    const slots = Map.groupBy(itemsOf(token).flatMap(own), ([port]) => port);
    if (slots.size < 2) return [...slots.keys()].map((port) => [port, replaceItems(token, (item) => own(item)[0]?.[1] ?? item)]);
    // A digest, because a list of many ports would be part of as many views.
    const digest = hash("sha1", token, "base64");
    return [...slots].map(([port, views]) => [
      port,
      `${digest} with ${views
        .map(([, view]) => view)
        .sort()
        .join()}`,
    ]);
  }

  #find(token: string): Found | undefined {
    if (!this.#initials.has(token.charAt(0))) return undefined;
    const found = this.#found.get(token);
    if (found !== undefined) return found;
    const [address, rest] = splitPort(token);
    return rest === "" ? undefined : this.#found.get(address);
  }
}

function textsOf({ mac, addresses }: AddressedPort): readonly string[] {
  return [mac, ...addresses];
}
