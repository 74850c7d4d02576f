import { contains, isLinkLocal, parseIp, parsePrefix } from "../../../kit/address";
import type { Failure } from "../../../kit/arguments/errors";
import { Failures } from "../../../kit/arguments/failures";
import { requireNextHop } from "../placement";
import type { GatewayRouterSpec } from "./args";

/** Failures of addresses and next hops outside, for any argument that has them. */
export function externalFailures({ addresses, nextHops }: Pick<GatewayRouterSpec["external"], "addresses" | "nextHops">, path: string): readonly Failure[] {
  const failures = new Failures();
  if (addresses.length === 0) failures.add(`${path}.addresses`, "required", "needs at least one address");
  nextHops.forEach((text, index) => failures.addAll(nextHopFailures(addresses, text, `${path}.nextHops[${index}]`)));
  return failures.found;
}

/** Checks the address of a router outside, for a port with these addresses. */
export function nextHopFailures(addresses: readonly string[], text: string, at: string): readonly Failure[] {
  const failures = new Failures();
  const nextHop = parseIp(text);
  const own = addresses.map(parsePrefix).filter(({ family }) => family === nextHop.family);
  if (own.length === 0) {
    failures.add(at, "family", `${text} is IPv${nextHop.family}, and there is no external address of that family`);
  } else if (own.some(({ value }) => value === nextHop.value)) {
    failures.add(at, "duplicate", `${text} is the router's own address`);
  } else if (!own.some((prefix) => contains(prefix, nextHop)) && !isLinkLocal(nextHop) && !own.some(isSingleHost)) {
    failures.add(at, "next-hop", `${text} is in none of the external subnets, so nothing would answer for it`);
  } else {
    for (const subnet of own.filter((prefix) => contains(prefix, nextHop))) failures.attempt(at, () => requireNextHop(nextHop, subnet));
  }
  return failures.found;
}

/** Whether a host has a /32, as on some platforms: then the next hop is reached through the port without a subnet. */
function isSingleHost({ family, length }: { family: number; length: number }): boolean {
  return length === (family === 4 ? 32 : 128);
}
