import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchdog } from "@pulumi-ovn/agent/testing";
import { until } from "@pulumi-ovn/sandbox/testing";

const folder = mkdtempSync(join(tmpdir(), "watchdog-"));
afterAll(() => rmSync(folder, { recursive: true }));
const PATH = `${folder}:${process.env["PATH"]}`;
const NOTIFY_SOCKET = "/run/systemd/notify";
const beats = () => (existsSync(join(folder, "beats")) ? readFileSync(join(folder, "beats"), "utf8").split("\n").filter(Boolean) : []);
/** Blocks the event loop. */
const hang = (milliseconds: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

test("systemd is notified periodically, except while the event loop hangs, after the end, and without a watchdog", async () => {
  writeFileSync(join(folder, "systemd-notify"), `#!/bin/sh\necho "$@" >> ${folder}/beats\n`);
  chmodSync(join(folder, "systemd-notify"), 0o755);
  const ending = new AbortController();
  const log: string[] = [];
  watchdog({ PATH }, ending.signal, (line) => log.push(line));
  watchdog({ PATH, NOTIFY_SOCKET }, ending.signal, (line) => log.push(line));
  watchdog({ PATH, NOTIFY_SOCKET, WATCHDOG_USEC: "150000" }, ending.signal, (line) => log.push(line));
  await until("three", 20_000, () => beats().length >= 3);
  hang(300);
  const before = beats().length;
  hang(1_000);
  expect([beats().length, new Set(beats())]).toEqual([before, new Set(["WATCHDOG=1"])]);
  await until("again", 20_000, () => beats().length > before + 1);
  ending.abort();
  expect(log).toEqual([]);
});

test("without systemd-notify the log reports the consequence once", async () => {
  const log: string[] = [];
  const ending = new AbortController();
  watchdog({ PATH: "/nowhere", NOTIFY_SOCKET, WATCHDOG_USEC: "30000" }, ending.signal, (line) => log.push(line));
  await until("the log", 20_000, () => log.length > 0);
  hang(100);
  await new Promise((resolve) => setTimeout(resolve, 100));
  ending.abort();
  expect(log).toEqual(["systemd-notify can't be run, so systemd will restart the agent: spawn systemd-notify ENOENT"]);
});
