import { ArgumentError } from "../arguments/errors";
import { addToIp } from "./ip";
import { type Prefix, formatPrefix, lastOf, networkOf, overlaps } from "./prefix";

const ATTEMPTS = 10;

/**
 * Default transit subnet of a network: the default, or the next subnet of the same size that overlaps none. The rule of ovn-kubernetes, so the
 * result is the same.
 */
export function chooseTransitSubnet(start: Prefix, taken: readonly Prefix[]): Prefix {
  let candidate = start;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const obstacle = taken.find((subnet) => overlaps(subnet, candidate));
    if (obstacle === undefined) return candidate;
    const next = nextAfter(obstacle.length < candidate.length ? obstacle : candidate, candidate.length);
    if (next === undefined) throw noneFree(`between ${formatPrefix(start)} and the end of the IPv${start.family} address space`);
    candidate = next;
  }
  throw noneFree(`in ${ATTEMPTS} attempts from ${formatPrefix(start)}`);
}

function noneFree(where: string): ArgumentError {
  return ArgumentError.of("", "overlap", `no free transit subnet found ${where}: set one that overlaps no other subnet of the network`);
}

/** undefined at the end of the address space. */
function nextAfter(larger: Prefix, length: number): Prefix | undefined {
  const last = lastOf(larger);
  return last.value === lastOf({ ...larger, value: 0n, length: 0 }).value ? undefined : networkOf({ ...addToIp(last, 1n), length });
}
