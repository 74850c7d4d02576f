import { lookup } from "node:dns/promises";
import { hostsIn, readable } from "@pulumi-ovn/provider/agent";

/** Milliseconds for which the answer for a name is good. */
const AGE = 60_000;

export type Lookup = (name: string) => Promise<readonly string[]>;

/** As connections find them: by the host's own files and resolvers. */
const byHost: Lookup = async (name) => (await lookup(name, { all: true })).map(({ address }) => address);

/** IP addresses of database servers. A server's name (ovsdb(7), Active) is looked up in the background, which takes time and may fail. */
export class Servers {
  /** Keyed by name. */
  private readonly known = new Map<string, { at: number; addresses: readonly string[] }>();

  /** @param changed called when the known addresses change */
  constructor(
    private readonly changed: () => void,
    private readonly lookup: Lookup = byHost,
  ) {}

  /**
   * In one order, each once. Names whose answers are old are asked for again.
   *
   * @param reached addresses of servers that there was a connection to: a name may have had others since
   */
  of(endpoints: readonly (string | undefined)[], reached: Iterable<string> = []): string[] {
    const hosts = [...new Set(endpoints.flatMap((list) => (list === undefined ? [] : hostsIn(list))))];
    for (const name of this.known.keys()) if (!hosts.includes(name)) this.known.delete(name);
    return [...new Set([...hosts.flatMap((host) => (readable(host).length > 0 ? [host] : this.named(host))), ...reached])].sort();
  }

  private named(name: string): readonly string[] {
    const { at, addresses } = this.known.get(name) ?? { at: -Infinity, addresses: [] };
    const now = performance.now();
    if (now - at >= AGE) {
      this.known.set(name, { at: now, addresses });
      void this.ask(name);
    }
    return addresses;
  }

  private async ask(name: string): Promise<void> {
    // Without an answer the last one holds.
    const addresses = (await this.lookup(name).catch(() => undefined))?.toSorted();
    const known = this.known.get(name);
    if (!addresses || !known || JSON.stringify(addresses) === JSON.stringify(known.addresses)) return;
    this.known.set(name, { at: known.at, addresses });
    this.changed();
  }
}
