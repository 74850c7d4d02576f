import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { runGroup, StartError, TimedOut } from "@pulumi-ovn/provider/agent";
import { Group } from "@pulumi-ovn/provider/testing";
import { commandOf } from "@pulumi-ovn/sandbox/testing";
import { until } from "../../support/until";

const options = { input: "", timeout: 20_000 };

it("passes the input, and returns output, errors and exit code", async () => {
  expect(await runGroup(["sh", "-c", "cat; echo oops >&2; exit 3"], { ...options, input: "in\n".repeat(100_000) })).toEqual({
    status: 3,
    stdout: "in\n".repeat(100_000),
    stderr: "oops\n",
  });
  expect(await runGroup(["sh", "-c", "kill -9 $$"], options)).toEqual({ status: "SIGKILL", stdout: "", stderr: "" });
});

it("succeeds if the program does not read its input", async () => {
  expect((await runGroup(["sh", "-c", "exec <&-; exit 4"], { ...options, input: "x".repeat(1_000_000) })).status).toBe(4);
});

it("ends with the program, even if another process keeps the output open", async () => {
  const { stdout } = await runGroup(["sh", "-c", "setsid sleep 30 & echo $!"], options);
  process.kill(Number(stdout), "SIGKILL");
});

it("ends all processes that the program started", async () => {
  const { stdout } = await runGroup(["sh", "-c", "sleep 1000 & echo $!"], options);
  await until(() => !commandOf(Number(stdout)));
});

it("kills a program that ignores SIGTERM", async () => {
  const group = new Group(["sh", "-c", 'trap "" TERM; echo $$; echo >&2; read x; while :; do sleep 1; done']);
  const pid = Number((await group.ask({ input: "", timeout: 20_000, until: "\n" })).stdout);
  expect(commandOf(pid)).toContain("trap");
  await expect(group.ask({ input: "", timeout: 10 })).rejects.toBeInstanceOf(TimedOut);
  await until(() => !commandOf(pid));
});

it("accepts more input after an answer, after any pause", async () => {
  const group = new Group(["sh", "-c", "while read x; do echo $x; echo $x >&2; done"]);
  await group.ask({ input: "one\n", timeout: 20_000, until: "one\n" });
  // Longer than an answer may take before the input ends.
  await sleep(2_200);
  expect(group.takesMore).toBe(true);
  expect(await group.ask({ input: "two\n", timeout: 20_000 })).toEqual({ status: 0, stdout: "two\n", stderr: "two\n" });
});

it("reports why a program could not be started", async () => {
  await expect(runGroup(["/nowhere/program"], options)).rejects.toEqual(new StartError("ENOENT"));
  await expect(runGroup([__filename], options)).rejects.toMatchObject({ code: "EACCES" });
});

it("reports that no more files can be opened, and ends no other run", async () => {
  const free = openSync("/dev/null", "r");
  closeSync(free);
  const self = `prlimit --pid ${process.pid} --nofile`;
  const limit = spawn("sh", ["-c", `before=$(${self} --noheadings --output SOFT); ${self}=${free}:; echo; read x; ${self}=$before:`], { stdio: "pipe" });
  await once(limit.stdout, "data");
  try {
    expect(() => openSync("/dev/null", "r")).toThrow("EMFILE");
    await expect(runGroup(["true"], options)).rejects.toEqual(new StartError("EMFILE"));
  } finally {
    const ended = once(limit, "exit");
    limit.stdin.end("\n");
    await ended;
  }
  expect((await runGroup(["true"], options)).status).toBe(0);
});

it("ends at the timeout", async () => {
  await expect(runGroup(["sleep", "1000"], { ...options, timeout: 10 })).rejects.toBeInstanceOf(TimedOut);
});

it("ends with the reason of the signal, also of an earlier one", async () => {
  const controller = new AbortController();
  const running = runGroup(["sleep", "1000"], { ...options, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  await expect(runGroup(["sleep", "1000"], { ...options, signal: controller.signal })).rejects.toThrow("enough");
});
