import { provider } from "pulumi-ovn/runtime";

// It would end this process with the one that started it.
jest.mock("../../../sdk/engine-loss", () => ({ endWithEngine: () => undefined }));

it("serves the kinds of this release", () => {
  expect(provider("TransitRouter").check).toBeInstanceOf(Function);
  expect(() => provider("Nothing")).toThrow('pulumi-ovn has no resource kind "Nothing"');
});
