import { ArgumentError } from "../arguments/errors";
import { addToIp } from "./ip";
import { type Prefix, formatPrefix, lastOf, networkOf, overlaps } from "./prefix";

const ATTEMPTS = 10;

/**
 * The transit subnet of a network when the user names none: the default, or the next subnet of the same
 * size after whatever it overlaps. The same rule as ovn-kubernetes, so the same result for the same network.
 */
export function chooseTransitSubnet(start: Prefix, taken: readonly Prefix[]): Prefix {
  let candidate = start;
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const obstacle = taken.find((subnet) => overlaps(subnet, candidate));
    if (obstacle === undefined) return candidate;
    candidate = nextAfter(obstacle.length < candidate.length ? obstacle : candidate, candidate.length);
  }
  throw ArgumentError.of(
    "",
    "overlap",
    `no free transit subnet found in ${ATTEMPTS} attempts from ${formatPrefix(start)}: set one that overlaps no other subnet of the network`,
  );
}

function nextAfter(larger: Prefix, length: number): Prefix {
  const next = addToIp(lastOf(larger), 1n);
  return networkOf({ ...next, length });
}

