import { AbortError, TimeoutError } from "@pulumi-ovn/ovsdb-client";
import { Pending, Shared } from "@pulumi-ovn/ovsdb-client/testing";

const limits = (expires = Infinity, signal?: AbortSignal) => ({
  expires,
  signal,
  late: () => new TimeoutError("late"),
  aborted: () => new AbortError("aborted"),
});
const outcome = (pending: Pending<string>) =>
  pending.promise.then(
    (value) => value,
    (error: Error) => error.message,
  );

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("the first settlement counts, and leaves no timer or listener", async () => {
  const controller = new AbortController();
  const pending = new Pending<string>(limits(performance.now() + 10, controller.signal));
  const settled = jest.fn();
  pending.onSettled(settled);
  pending.resolve("value");
  controller.abort();
  pending.reject(new TimeoutError("x"));
  expect([pending.open, settled.mock.calls.length, jest.getTimerCount()]).toEqual([false, 1, 0]);
  expect(await outcome(pending)).toBe("value");
  pending.onSettled(settled);
  expect(settled).toHaveBeenCalledTimes(2);
});

test("ends by its timeout and its signal, before and after settlement", async () => {
  const late = new Pending<string>(limits(performance.now() + 10));
  jest.advanceTimersByTime(11);
  const controller = new AbortController();
  const aborted = new Pending<string>(limits(Infinity, controller.signal));
  controller.abort();
  const before = new Pending<string>(limits(performance.now() + 10, AbortSignal.abort()));
  expect([late.open, aborted.open, before.open, jest.getTimerCount()]).toEqual([false, false, false, 0]);
  expect(await Promise.all([late, aborted, before].map(outcome))).toEqual(["late", "aborted", "aborted"]);
});

test("accepts a timeout beyond a timer's limit", async () => {
  const longest = 2 ** 31 - 1;
  const set = jest.spyOn(globalThis, "setTimeout");
  const pending = new Pending<string>(limits(performance.now() + longest + 1000));
  jest.advanceTimersByTime(longest);
  expect([pending.open, set.mock.calls.map(([, delay]) => delay)]).toEqual([true, [longest, 1000]]);
  jest.advanceTimersByTime(1000);
  expect([pending.open, await outcome(pending)]).toEqual([false, "late"]);
});

test("a shared answer: late callers receive it, and it is abandoned when the last one leaves", async () => {
  const unwanted = jest.fn();
  const shared = new Shared<string>(unwanted);
  const [one, two] = [new Pending<string>(limits()), new Pending<string>(limits())];
  const waits = [shared.wait(one), shared.wait(two)].map((promise) => promise.catch((error: Error) => error.message));
  one.reject(new AbortError("aborted"));
  expect(unwanted).not.toHaveBeenCalled();
  two.reject(new AbortError("aborted"));
  expect(unwanted).toHaveBeenCalledTimes(1);
  expect(await Promise.all(waits)).toEqual(["aborted", "aborted"]);
  shared.resolve("value");
  expect(await shared.wait(new Pending<string>(limits()))).toBe("value");
  expect(unwanted).toHaveBeenCalledTimes(1);
});
