import { Northbound } from "../../../../agent/southbound/northbound";
import { NO_NORTHBOUND } from "../../../../agent/southbound/snapshot";
import { snapshot } from "../desired/world";

const EMPTY = snapshot([], { floatingIPs: true });

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

test("without a way to it there is nothing to wait for, and nothing to complain of", async () => {
  const northbound = new Northbound({ tls: undefined, changed: () => undefined });
  expect(northbound.facts(EMPTY)).toBeUndefined();
  northbound.follow(undefined);
  expect([northbound.facts(EMPTY), northbound.problem]).toEqual([NO_NORTHBOUND, undefined]);
  await northbound.close();
});

test("one that does not answer is waited for once, for ten seconds; then what else there is goes on without it", async () => {
  let changes = 0;
  const northbound = new Northbound({ tls: undefined, changed: () => changes++ });
  northbound.follow("unix:/nowhere/nb.sock");
  jest.advanceTimersByTime(6_000);
  const timers = jest.getTimerCount();
  northbound.follow("unix:/nowhere/nb.sock");
  expect([northbound.facts(EMPTY), jest.getTimerCount()]).toEqual([undefined, timers]);
  const before = changes;
  jest.advanceTimersByTime(4_000);
  expect([northbound.facts(EMPTY), changes > before]).toEqual([NO_NORTHBOUND, true]);
  await northbound.close();
});
