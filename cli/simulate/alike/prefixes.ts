import { parseIp } from "@pulumi-ovn/provider";

const WIDTHS = { mac: 48, 4: 32, 6: 128 } as const;

interface Address {
  readonly kind: keyof typeof WIDTHS;
  readonly value: bigint;
}

/** Groups of addresses that OVN's predicates such as `eth.mcast` and `ip4.mcast` name without a prefix. */
const PREDICATES = ["01:00:00:00:00:00/01:00:00:00:00:00", "224.0.0.0/4", "ff00::/8", "fe80::/10"] as const;

interface Mask {
  readonly kind: Address["kind"];
  readonly bits: bigint;
  /** Texts of the prefixes with this mask, by their network. */
  readonly networks: Map<bigint, string>;
}

/** Prefixes in matches, `ADDRESS/LENGTH` or `ADDRESS/MASK`, and those of OVN's predicates. */
export class Prefixes {
  readonly #texts = new Set<string>();
  readonly #masks = new Map<string, Mask>();

  constructor() {
    for (const prefix of PREDICATES) this.add(prefix);
  }

  /** Ignores texts that are something else. */
  add(prefix: string): void {
    if (this.#texts.has(prefix)) return;
    this.#texts.add(prefix);
    const [base = "", mask = ""] = prefix.split("/");
    const address = read(base);
    if (address === undefined) return;
    const { kind, value } = address;
    const all = (1n << BigInt(WIDTHS[kind])) - 1n;
    const bits = /^\d+$/.test(mask) ? all & ~((1n << BigInt(Math.max(0, WIDTHS[kind] - Number(mask)))) - 1n) : (read(mask)?.value ?? all);
    const key = `${kind} ${bits}`;
    const own = this.#masks.get(key) ?? { kind, bits, networks: new Map() };
    this.#masks.set(key, own);
    own.networks.set(value & bits, prefix);
  }

  /** Prefixes that an address matches, in one order. */
  of(text: string): readonly string[] {
    const address = read(text);
    if (address === undefined) return [];
    const found = [...this.#masks.values()].flatMap(({ kind, bits, networks }) => (kind === address.kind ? (networks.get(address.value & bits) ?? []) : []));
    return found.sort();
  }
}

function read(text: string): Address | undefined {
  if (/^([0-9a-f]{2}:){5}[0-9a-f]{2}$/i.test(text)) return { kind: "mac", value: BigInt(`0x${text.replaceAll(":", "")}`) };
  if (!/^[0-9a-f.:]*[.:][0-9a-f.:]*$/i.test(text)) return undefined;
  try {
    const { family, value } = parseIp(text);
    return { kind: family, value };
  } catch {
    return undefined;
  }
}
