import { z } from "zod";
import { type Prefix, formatIp, nthAddress, parseIp, parseSubnet, contains } from "../../kit/address";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { byName, ips, names, requiredSubnets, schemaOf } from "./fields";
import { allocate } from "./keys";
import { DEFAULT_SUBNETS, SET_ASIDE, checkRoom, poolRange } from "./pool-subnets";

/** Addresses for owners that need one of each subnet. */
export interface AddressPoolArgs {
  /** Names that get an address of each subnet. */
  owners: string[];
  /** At most one of each family. An owner whose address is outside gets a new one. Default: 169.254.0.0/20 and fd99:1::/64. */
  subnets?: string[];
  /** Addresses at the beginning of each subnet that no owner gets. Default: 2, for the host and the router. */
  setAside?: number;
  /** Addresses that owners have from elsewhere. Default: none. */
  fixed?: Record<string, string[]>;
}

/** Positions in larger IPv6 subnets are not looked at: no pool has that many owners. */
const MOST_OFFSETS = 0xffff_ffffn;

export const addressPoolSchema = schemaOf<AddressPoolArgs>()(
  z.strictObject({
    owners: names,
    subnets: requiredSubnets.default(DEFAULT_SUBNETS),
    setAside: z.int().min(0, "must not be negative").max(65_535).default(SET_ASIDE),
    fixed: byName(ips).default({}),
  }),
);
type Spec = z.output<typeof addressPoolSchema>;

/** Addresses by owner, in the order of the subnets. */
export type PoolAddresses = Record<string, string[]>;

/** Gives every owner its addresses; `assigned` are those of previous calls. Throws ArgumentError when a subnet is used up. */
export function allocateAddresses({ owners, subnets, setAside, fixed }: Spec, assigned: PoolAddresses): PoolAddresses {
  const failures = new Failures();
  checkFixed(fixed, subnets.map(parseSubnet), setAside, "fixed", failures);
  checkRoom(subnets, setAside, "subnets", failures);
  failures.throwIfAny();
  const result: PoolAddresses = Object.fromEntries(owners.map((owner): [string, string[]] => [owner, []]));
  for (const subnet of subnets.map(parseSubnet)) {
    const { first, last } = poolRange(subnet, setAside);
    const range = { first: Number(first), last: Number(last < MOST_OFFSETS ? last : MOST_OFFSETS) };
    const offsets = { ...offsetsOf(assigned, subnet), ...offsetsOf(fixed, subnet) };
    const show = (offset: number) => formatIp(nthAddress(subnet, offset));
    const wanted = Object.fromEntries(owners.map((owner): [string, number] => [owner, 1]));
    const given = failures.attempt("", () => allocate({ assigned: offsets, counts: wanted, range, words: { what: "address", show, path: () => "owners" } }));
    for (const [owner, [offset]] of Object.entries(given ?? {})) result[owner]!.push(show(offset!));
  }
  failures.throwIfAny();
  return result;
}

/** Given addresses that are not for owners. `at` is the path of the argument. */
export function checkFixed(fixed: PoolAddresses, subnets: readonly Prefix[], setAside: number, at: string, failures: Failures): void {
  for (const [owner, addresses] of Object.entries(fixed)) {
    const seen = new Set<Prefix>();
    addresses.forEach((text, index) => {
      const path = propertyPath([at, owner, index]);
      const subnet = subnets.find((candidate) => contains(candidate, parseIp(text)));
      if (!subnet) failures.add(path, "not-in-subnet", `${text} is in none of the pool's subnets`);
      else if (seen.has(subnet)) failures.add(path, "duplicate", `"${owner}" has a fixed address of this subnet already`);
      else {
        const { first, last } = poolRange(subnet, setAside);
        const offset = parseIp(text).value - subnet.value;
        if (offset < first || offset > last)
          failures.add(
            path,
            "reserved",
            `${text} is not for owners: of this subnet they get ${formatIp(nthAddress(subnet, first))} to ${formatIp(nthAddress(subnet, last))}`,
          );
        else if (offset > MOST_OFFSETS) failures.add(path, "out-of-range", `${text} is too far from the beginning of its subnet`);
      }
      if (subnet) seen.add(subnet);
    });
  }
}

/** The positions in a subnet of the addresses that are in it. */
function offsetsOf(addresses: PoolAddresses, subnet: Prefix): Record<string, number[]> {
  return Object.fromEntries(
    Object.entries(addresses).flatMap(([owner, texts]): [string, number[]][] => {
      const inside = texts.map(parseIp).find((address) => contains(subnet, address));
      return inside ? [[owner, [Number(inside.value - subnet.value)]]] : [];
    }),
  );
}
