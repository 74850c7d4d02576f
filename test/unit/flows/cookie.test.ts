import fc from "fast-check";
import { flowCookie } from "@pulumi-ovn/provider/tools";

const urn = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:BridgeFlows::a";

it("is equal for the same identity in every release", () => {
  expect(flowCookie(urn)).toBe("0xe7816678863fcbbf");
});

it("has 64 bits in ovs-ofctl's format, and is neither 0 nor all ones", () => {
  fc.assert(
    fc.property(fc.string(), (owner) => {
      const cookie = flowCookie(owner);
      expect(cookie).toMatch(/^0x[1-9a-f][0-9a-f]{0,15}$/);
      expect(BigInt(cookie)).toBeLessThan(2n ** 64n - 1n);
    }),
  );
});

it("differs between resources", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 2 }), ([a, b]) => {
      expect(flowCookie(a!)).not.toBe(flowCookie(b!));
    }),
  );
});
