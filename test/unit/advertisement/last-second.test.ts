import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { awaitAdvertised, type ObjectReader, schema } from "@pulumi-ovn/provider/testing";
import { facts, spec } from "../../support/advertisement";

/** A clock that only pauses move. */
let mockNow: number;
jest.mock("../../../provider/targets/cluster/pause", () => ({
  ...jest.requireActual<object>("../../../provider/targets/cluster/pause"),
  pause: (milliseconds: number) => Promise.resolve(void (mockNow += milliseconds)),
}));
beforeEach(() => {
  mockNow = 0;
  jest.spyOn(performance, "now").mockImplementation(() => mockNow);
});
afterEach(() => jest.restoreAllMocks());

const LOADED = [
  { metadata: { name: "node1" }, status: { lastConversionResult: "success", lastReloadResult: "success", runningConfig: "network 10.244.0.0/24" } },
];

describe("a wait in its last second", () => {
  it.each<[string, number, string]>([
    ["ends with what comes then", 59_750, "reached"],
    ["tells what is missing at its end", 60_000, "OVN_NOT_APPLIED"],
  ])("looks on, and %s", async (_what, reachedAfter, outcome) => {
    const looks: number[] = [];
    const reader: ObjectReader = { list: () => Promise.resolve(looks.push(mockNow) && mockNow >= reachedAfter ? LOADED : []) };
    const waiting = awaitAdvertised(
      schema.parse({ cluster: "c", ...spec(), waitFor: "applied", timeout: 60 }),
      generateFrrConfigurations(spec(), facts()).objects,
      reader,
    );
    expect(
      await waiting.then(
        () => "reached",
        ({ code }: { code: string }) => code,
      ),
    ).toBe(outcome);
    expect(looks.filter((after) => after >= 57_000)).toEqual([57_000, 59_000, 59_200, 59_400, 59_600, 59_800]);
  });
});
