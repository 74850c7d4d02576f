import type { Failure } from "../../kit/arguments/errors";

/**
 * A value that a component claims exclusively, or about which several must agree. The components of a program are compared by their claims
 * before anything is registered; see `ClaimBook`.
 */
export interface ProgramClaim {
  /** Key of the claimed value. Claims with different keys never conflict. */
  readonly key: string;
  /** How messages call that: `external address 172.18.0.11`. */
  readonly what: string;
  /** Part of the component that has the value: `the gateway router of node "node1"`. */
  readonly holder: string;
  /** The argument to change. */
  readonly path: string;
  /** Value on which claimants must agree; "" agrees with all. Default: the claim is exclusive. */
  readonly says?: string;
  /** Claims of one side do not conflict. A conflict is reported to claims of another side. Default: see `says`. */
  readonly side?: string;
  /** Zones of the claimant that it counts in. Default: all of them. */
  readonly zones?: ReadonlySet<string>;
  /** Claims of one group are reported as one failure. Default: by itself. */
  readonly group?: string;
  /** Reports claims of many nodes that fail in the same way as one failure, with its remedy. Default: each claim is reported. */
  readonly alike?: Alike;
}

export interface Alike {
  /** Claims with the same value are reported as one. */
  readonly key: string;
  readonly remedy: string;
}

/** A component with claims. */
export interface Claimant {
  /** `Layer2Network "blue"` */
  readonly name: string;
  /** Zones in which the claims count. */
  readonly zones: ReadonlySet<string>;
}

interface Entry {
  readonly claim: ProgramClaim;
  readonly claimant: Claimant;
}

/** Who has what in one run of a program. */
export class ClaimBook {
  readonly #entries = new Map<string, Entry[]>();

  /**
   * Enters all claims, or none and returns the conflicts. A claimant may repeat its claims when it knows more; claims entered together must
   * differ.
   */
  enter(claimant: Claimant, claims: readonly ProgramClaim[]): Failure[] {
    const seen = new Set<string>();
    const first = new Map<string, ProgramClaim>();
    const failed = claims.flatMap((claim): Failed[] => {
      const own = first.get(claim.key) ?? claim;
      first.set(claim.key, own);
      const other =
        own !== claim && opposed({ claim, claimant }, { claim: own, claimant })
          ? { claim: own, claimant }
          : this.#entries.get(claim.key)?.find((entry) => conflicts({ claim, claimant }, entry));
      if (!other || (claim.group !== undefined && seen.has(claim.group))) return [];
      if (claim.group !== undefined) seen.add(claim.group);
      const at = { path: claim.path, message: sentence(claim, other.claim, other.claimant === claimant ? "" : ` of ${other.claimant.name}`) };
      const failure = claim.says !== undefined && other.claim.says !== undefined ? { ...at, code: "disagreement" } : { ...at, code: "duplicate" };
      return [{ failure, alike: claim.alike, other: other.claimant.name }];
    });
    if (failed.length > 0) return failuresOf(failed);
    for (const claim of claims) {
      const entries = this.#entries.get(claim.key) ?? [];
      if (!entries.some((entry) => entry.claimant.name === claimant.name && entry.claim.zones === undefined))
        this.#entries.set(claim.key, [...entries, { claim, claimant }]);
    }
    return [];
  }
}

interface Failed {
  readonly failure: Failure;
  readonly alike: Alike | undefined;
  /** Name of the claimant that has it. */
  readonly other: string;
}

/** Failures with the same cause and component, reduced to the first. */
function failuresOf(failed: readonly Failed[]): Failure[] {
  const groups = Map.groupBy(failed, ({ failure, alike, other }) => (alike === undefined ? failure : JSON.stringify([failure.code, alike.key, other])));
  return [...groups.values()].map((all) => {
    const [{ failure, alike }, ...more] = all as [Failed, ...Failed[]];
    if (alike === undefined || more.length === 0) return failure;
    return {
      ...failure,
      message: `${failure.message} (${more.length} more ${more.length === 1 ? "node has" : "nodes have"} the same conflict); ${alike.remedy}`,
    };
  });
}

function conflicts(entry: Entry, other: Entry): boolean {
  return entry.claimant.name !== other.claimant.name && opposed(entry, other);
}

function opposed(entry: Entry, other: Entry): boolean {
  if (agree(entry.claim, other.claim)) return false;
  const [few, many] = [entry, other].map(zonesOf).sort((a, b) => a.size - b.size) as [ReadonlySet<string>, ReadonlySet<string>];
  if (few === many) return true;
  for (const zone of few) if (many.has(zone)) return true;
  return false;
}

const zonesOf = ({ claim, claimant }: Entry) => claim.zones ?? claimant.zones;

function agree(entry: ProgramClaim, other: ProgramClaim): boolean {
  if (entry.side !== undefined && entry.side === other.side) return true;
  return entry.says !== undefined && other.says !== undefined && (entry.says === other.says || entry.says === "" || other.says === "");
}

/** Both sides in one sentence. */
function sentence({ what, says }: ProgramClaim, { holder, says: otherSays }: ProgramClaim, of: string): string {
  if (says !== undefined && otherSays !== undefined) return `${what} is ${says} here, and ${otherSays} for ${holder}${of}`;
  return `${what} is already used by ${holder}${of}`;
}
