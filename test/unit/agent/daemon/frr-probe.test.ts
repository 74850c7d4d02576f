import { frrProbe } from "@pulumi-ovn/agent/testing";

const INTERVAL = 5_000;

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

/** Answers in their order; an error: FRR can't be asked. */
function probe(answers: (boolean | Error | Promise<boolean>)[]) {
  const ending = new AbortController();
  const reports: number[] = [];
  const frrDiffers = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer ?? false;
  };
  frrProbe({ frrDiffers }, ending.signal, () => reports.push(answers.length));
  return { ending, reports, answers };
}

test("reports FRR only if it differs from the last scan", async () => {
  const { ending, reports } = probe([false, true, new Error("no answer"), true, false]);
  for (let index = 0; index < 5; index++) await jest.advanceTimersByTimeAsync(INTERVAL);
  expect(reports).toEqual([3, 1]);
  ending.abort();
  await jest.advanceTimersByTimeAsync(INTERVAL);
  expect(reports).toHaveLength(2);
  expect(jest.getTimerCount()).toBe(0);
});

test("asks one question at a time; an answer after the end is ignored", async () => {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const { ending, reports, answers } = probe([promise, true]);
  await jest.advanceTimersByTimeAsync(2 * INTERVAL);
  expect(answers).toHaveLength(1);
  ending.abort();
  resolve(true);
  await jest.advanceTimersByTimeAsync(0);
  expect(reports).toEqual([]);
});
