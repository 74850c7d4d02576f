import { flushCompileCache } from "node:module";
import { provider } from "../../../sdk/runtime";

jest.mock("node:module", () => ({ ...jest.requireActual<object>("node:module"), flushCompileCache: jest.fn() }));
// It would end this process with the one that started it.
jest.mock("../../../sdk/engine-loss", () => ({ endWithEngine: () => undefined }));

const flush = jest.mocked(flushCompileCache);

it("what is loaded for a kind is kept compiled, as what is loaded at first: Pulumi kills the process", () => {
  expect(flush).toHaveBeenCalledTimes(1);
  const loadedThen: boolean[] = [];
  flush.mockImplementation(() => void loadedThen.push(Object.keys(require.cache).some((file) => file.includes("/topology/transit-router/"))));
  expect(provider("TransitRouter").check).toBeInstanceOf(Function);
  expect(loadedThen).toEqual([true]);
});

it("another release's kind is refused", () => {
  expect(() => provider("Nothing")).toThrow('pulumi-ovn has no resource kind "Nothing"');
});
