import { frrProbe } from "../../../../agent/daemon/frr-probe";

const INTERVAL = 5_000;

const mockAnswers: (string | null)[] = [];
jest.mock("../../../../agent/host/program", () => ({
  run: async () => {
    const text = mockAnswers.shift();
    return { status: text === null ? 1 : 0, stdout: text ?? "", stderr: "" };
  },
}));

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test("tells when bgpd goes, comes back, or has another configuration, and not otherwise", async () => {
  mockAnswers.push("router bgp 1", "router bgp 1", "router bgp 2", null, null, "router bgp 2", "router bgp 2");
  const ending = new AbortController();
  const told: number[] = [];
  frrProbe({}, ending.signal, () => told.push(mockAnswers.length));
  for (let index = 0; index < 7; index++) await jest.advanceTimersByTimeAsync(INTERVAL);
  expect(told).toEqual([4, 3, 1]);
  ending.abort();
  await jest.advanceTimersByTimeAsync(INTERVAL);
  expect(told).toHaveLength(3);
  expect(jest.getTimerCount()).toBe(0);
});

test("an answer that comes after the end tells nothing", async () => {
  mockAnswers.push("router bgp 1", "router bgp 2");
  const ending = new AbortController();
  let told = 0;
  frrProbe({}, ending.signal, () => told++);
  await jest.advanceTimersByTimeAsync(INTERVAL);
  jest.advanceTimersByTime(INTERVAL);
  ending.abort();
  await jest.advanceTimersByTimeAsync(0);
  expect([told, mockAnswers]).toEqual([0, []]);
});
