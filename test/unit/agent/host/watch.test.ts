import child, { type ChildProcess } from "node:child_process";
import { EventEmitter } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { watch } from "@pulumi-ovn/agent/testing";

/** A program that reports nothing until it is ended. */
class Silent extends EventEmitter {
  readonly stdout = new PassThrough();
  readonly stderr = new PassThrough();
  readonly pid = undefined;
  kill(): boolean {
    return true;
  }
}

const folder = mkdtempSync(join(tmpdir(), "watch-"));
let started: Silent[];
let reports: number[];
let end: () => void;
/** Times of all changes, in milliseconds since `time`. */
const since = (time: number) => reports.map((at) => at - time);

beforeEach(() => {
  jest.useFakeTimers();
  [started, reports] = [[], []];
  jest.spyOn(child, "spawn").mockImplementation(() => {
    started.push(new Silent());
    return started.at(-1) as unknown as ChildProcess;
  });
  end = watch({ command: [], timeout: 30 }, () => reports.push(Date.now()), { folder });
});
afterEach(() => {
  end();
  jest.useRealTimers();
  jest.restoreAllMocks();
});
afterAll(() => rmSync(folder, { recursive: true }));

test("a change before ip(8) listens causes a scan when it certainly listens, because it does not report its start", () => {
  const begin = Date.now();
  jest.advanceTimersByTime(300_000);
  expect([started.length, since(begin)]).toEqual([1, [1_100, 5_100]]);
});

test("a restarted watch causes a scan immediately, and when it certainly listens", () => {
  jest.advanceTimersByTime(60_000);
  reports = [];
  started[0]!.emit("close", 1);
  jest.advanceTimersByTime(999);
  expect([started.length, reports]).toEqual([1, []]);
  jest.advanceTimersByTime(1);
  const again = Date.now();
  expect(started).toHaveLength(2);
  jest.advanceTimersByTime(300_000);
  expect(since(again)).toEqual([100, 1_100, 5_100]);
});

test("nothing is reported after the end", () => {
  jest.advanceTimersByTime(500);
  end();
  jest.advanceTimersByTime(60_000);
  expect(reports).toEqual([]);
});
