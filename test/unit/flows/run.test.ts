import { spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { StartError, TimedOut } from "../../../provider/flows/group";
import { runGroup } from "../../../provider/flows/run";

const options = { input: "", timeout: 20_000 };

it("gives its input, and what a program prints, says and ends with", async () => {
  expect(await runGroup(["sh", "-c", "cat; echo oops >&2; exit 3"], { ...options, input: "in\n".repeat(100_000) })).toEqual({
    status: 3,
    stdout: "in\n".repeat(100_000),
    stderr: "oops\n",
  });
  expect(await runGroup(["sh", "-c", "kill -9 $$"], options)).toEqual({ status: "SIGKILL", stdout: "", stderr: "" });
});

it("does not mind a program that does not read", async () => {
  expect((await runGroup(["sh", "-c", "exec <&-; exit 4"], { ...options, input: "x".repeat(1_000_000) })).status).toBe(4);
});

it("ends when the program does, though something else keeps its output open", async () => {
  const { stdout } = await runGroup(["sh", "-c", "setsid sleep 30 & echo $!"], options);
  process.kill(Number(stdout), "SIGKILL");
});

it("says why a program could not be started", async () => {
  await expect(runGroup(["/nowhere/program"], options)).rejects.toEqual(new StartError("ENOENT"));
  await expect(runGroup([__filename], options)).rejects.toMatchObject({ code: "EACCES" });
});

it("says so where no more files can be opened, and nothing else ends", async () => {
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

it("ends with the signal's reason, also one that was given before", async () => {
  const controller = new AbortController();
  const running = runGroup(["sleep", "1000"], { ...options, signal: controller.signal });
  controller.abort(new Error("enough"));
  await expect(running).rejects.toThrow("enough");
  await expect(runGroup(["sleep", "1000"], { ...options, signal: controller.signal })).rejects.toThrow("enough");
});
