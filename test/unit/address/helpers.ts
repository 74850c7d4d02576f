import fc from "fast-check";
import type { Family, Ip, Prefix } from "@pulumi-ovn/provider";
import { failuresOf } from "../../support/refusals";

export const messageOf = (call: () => unknown): string =>
  failuresOf(call)
    .map((failure) => failure.message)
    .join("; ");

export const anyIpv4: fc.Arbitrary<Ip> = fc.bigInt(0n, (1n << 32n) - 1n).map((value) => ({ family: 4, value }));

/** Includes runs of zero groups, which RFC 5952 is about, but no IPv4-mapped addresses. */
export const anyIpv6: fc.Arbitrary<Ip> = fc
  .array(fc.oneof(fc.constant(0n), fc.bigInt(0n, 0xffffn)), { minLength: 8, maxLength: 8 })
  .map((groups) => groups.reduce((value, group) => (value << 16n) | group, 0n))
  .filter((value) => value >> 32n !== 0xffffn)
  .map((value) => ({ family: 6 as Family, value }));

export const anyIp = fc.oneof(anyIpv4, anyIpv6);

export const anyPrefix: fc.Arbitrary<Prefix> = anyIp.chain((ip) => fc.nat({ max: ip.family === 4 ? 32 : 128 }).map((length) => ({ ...ip, length })));
