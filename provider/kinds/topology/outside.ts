import { CLAIM_MARK } from "../../kit/identity";
import type { Claim, DesiredRow } from "../../backends/rows/set";

/** A physical network, as a localnet port names it. */
export interface PhysicalNetwork {
  readonly networkName: string;
  readonly vlan?: number | undefined;
}

/** An address or a MAC on a physical network. */
interface OutsideValue {
  /** Address without mask, or MAC. */
  readonly value: string;
  /** Path of its argument. */
  readonly path: string;
}

/** Rows that have addresses on physical networks. Gateway routers that share their host's addresses share them with each other. */
const HOLDERS = [
  { table: "Logical_Router_Port", value: "own" },
  { table: "NAT", value: "own" },
  { table: "Logical_Router_Port", value: "shared" },
] as const;

/** Marks and claims of a row with addresses on a physical network: no row of another stack in the database may have them. */
export function outsideClaims(
  { networkName, vlan }: PhysicalNetwork,
  values: readonly OutsideValue[],
  sharing: "own" | "shared" = "own",
): Pick<DesiredRow, "marks" | "claims"> {
  const keyed = values.map(({ value, path }) => ({
    key: `${CLAIM_MARK}${networkName}/${vlan ?? 0}/${value}`,
    what: `${path}: ${value} on physical network "${networkName}"${vlan === undefined ? "" : `, VLAN ${vlan},`}`,
  }));
  const holders = HOLDERS.filter(({ value }) => sharing === "own" || value === "own");
  return {
    marks: Object.fromEntries(keyed.map(({ key }) => [key, sharing])),
    claims: keyed.flatMap(({ key, what }) => holders.map((holder): Claim => ({ ...holder, column: "external_ids", key, betweenStacks: true, what }))),
  };
}

/** An address or a MAC that a row takes. */
export interface OutsideTaken {
  readonly key: string;
  /** Path, value and physical network, for messages. */
  readonly what: string;
  readonly sharing: string;
}

/** Values that a row takes by `outsideClaims`. */
export function takenBy({ marks = {}, claims = [] }: DesiredRow): OutsideTaken[] {
  return Object.entries(marks).map(([key, sharing]) => ({ key, sharing, what: claims.find((claim) => claim.key === key)?.what ?? key }));
}
