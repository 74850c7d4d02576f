import { hash } from "node:crypto";
import type { Lines } from "../contract/backend";
import type { HostRendered } from "./kind";
import { FLOWS, ROWS } from "./parts";

export function hostLines({ rows, flows, agent }: HostRendered): Lines {
  return { ...ROWS.lines({ set: rows }), ...FLOWS.lines({ set: flows }), ...(agent && { agent: "restores this between updates" }) };
}

/** Each fallback reason has its own digest. */
export function hostDigest(desired: HostRendered): string {
  const { warnings = [] } = desired;
  return warnings.length === 0 ? writtenDigest(desired) : both(writtenDigest(desired), JSON.stringify(warnings));
}

/** Digest of rows, flows and the agent's part, without warnings. */
export function writtenDigest({ rows, flows, agent }: HostRendered): string {
  const written = both(ROWS.digest({ set: rows }), FLOWS.digest({ set: flows }));
  return agent ? both(written, "agent") : written;
}

/** Digest of two digests. */
export const both = (rows: string, flows: string): string => hash("sha256", `${rows} ${flows}`, "hex").slice(0, 16);
