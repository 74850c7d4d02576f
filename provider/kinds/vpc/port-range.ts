import { z } from "zod";

/** Port numbers, both ends included. */
export interface PortRange {
  readonly first: number;
  readonly last: number;
}

const HIGHEST_PORT = 65_535;
const RANGE = /^(\d{1,5})(?:-(\d{1,5}))?$/;

/** Reads "443" or "8000-8079". Port 0 is invalid (RFC 6335 section 6). */
export function readRange(text: string): PortRange | undefined {
  const [, from, to = from] = RANGE.exec(text) ?? [];
  if (from === undefined) return undefined;
  const range = { first: Number(from), last: Number(to) };
  return range.first >= 1 && range.last <= HIGHEST_PORT && range.first <= range.last ? range : undefined;
}

export const portRange = z.string().superRefine((text, context) => {
  if (readRange(text) !== undefined) return;
  context.addIssue({
    code: "custom",
    message: `${JSON.stringify(text)} is not a range of ports: expected one such as "443", or two from 1 to 65535 such as "8000-8079"`,
    params: { code: "port-range" },
  });
});

/** A value and which of its bits count, as OpenFlow matches them. */
export interface MaskedPort {
  readonly value: number;
  readonly mask: number;
}

/**
 * The fewest masked matches that together match every port of the range once and no other: the largest aligned block
 * that begins at its start, then the same for what is left.
 */
export function rangeMasks({ first, last }: PortRange): MaskedPort[] {
  const masks: MaskedPort[] = [];
  for (let start = first; start <= last; ) {
    let size = 1;
    while (start % (size * 2) === 0 && start + size * 2 - 1 <= last && size * 2 <= HIGHEST_PORT + 1) size *= 2;
    masks.push({ value: start, mask: HIGHEST_PORT + 1 - size });
    start += size;
  }
  return masks;
}
