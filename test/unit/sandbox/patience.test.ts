import { until } from "@pulumi-ovn/sandbox/testing";

const VARIABLE = "PULUMI_OVN_PATIENCE";
const before = process.env[VARIABLE];
afterEach(() => {
  if (before === undefined) delete process.env[VARIABLE];
  else process.env[VARIABLE] = before;
});

test.each<[string | undefined, number]>([
  [undefined, 20],
  ["3", 60],
  ["0.5", 10],
  ["much", 20],
])("a wait with PULUMI_OVN_PATIENCE=%s", async (patience, milliseconds) => {
  delete process.env[VARIABLE];
  if (patience !== undefined) process.env[VARIABLE] = patience;
  await expect(until("nothing", 20, () => false)).rejects.toMatchObject({ code: "timeout", message: `nothing: not within ${milliseconds} ms` });
  expect(await until("something", 20, () => "it")).toBe("it");
});

describe("the pause between two attempts", () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  /** When looks begin that take so many milliseconds, the fourth of which finds what it looks for. */
  async function looks(took: number, pause?: number): Promise<number[]> {
    const started = performance.now();
    const begun: number[] = [];
    const ready = async () => {
      begun.push(performance.now() - started);
      await new Promise((resolve) => setTimeout(resolve, took));
      return begun.length === 4;
    };
    const done = until("it", 10_000, ready, pause);
    await jest.advanceTimersByTimeAsync(10_000);
    expect(await done).toBe(true);
    return begun;
  }

  it("is as long as the last attempt", async () => expect(await looks(300)).toEqual([0, 600, 1200, 1800]));
  it("is at least as long as requested", async () => {
    expect(await looks(2, 500)).toEqual([0, 502, 1004, 1506]);
    expect(await looks(600, 500)).toEqual([0, 1200, 2400, 3600]);
  });
  it("is multiplied by the variable's value", async () => {
    process.env[VARIABLE] = "3";
    expect([await looks(300), await looks(2, 500)]).toEqual([
      [0, 1200, 2400, 3600],
      [0, 1502, 3004, 4506],
    ]);
  });
  it("is at least 10 ms", async () => expect(await looks(2)).toEqual([0, 12, 24, 36]));
});
