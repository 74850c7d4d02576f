import { provider } from "@pulumi-ovn/provider/runtime";

it("serves the kinds of this release", () => {
  expect(provider("TransitRouter").check).toBeInstanceOf(Function);
  expect(() => provider("Nothing")).toThrow('pulumi-ovn has no resource kind "Nothing"');
});
