import { appendFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted, probeFindings, readUpgradeOptions as readOptions, Reporter, rowText, runApart, Stop } from "@pulumi-ovn/cli/testing";
import { until } from "../../../support/until";

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "upgrade-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("options", () => {
  it("have defaults", () => {
    expect(readOptions([])).toEqual({
      cwd: ".",
      stack: undefined,
      network: undefined,
      nodes: [],
      batch: "1",
      back: false,
      remains: undefined,
      loaded: false,
      dryRun: false,
      stages: undefined,
      probe: undefined,
      probeTimeout: 60,
      settleSeconds: undefined,
      gateTimeout: 30,
      log: undefined,
      json: false,
    });
  });

  it("are read", () => {
    expect(readOptions(["--nodes", "b, a", "--batch", "25%", "--back", "--remains", "keep", "--settle-seconds", "0", "--stages", "2"])).toMatchObject({
      nodes: ["b", "a"],
      batch: "25%",
      back: true,
      remains: "keep",
      settleSeconds: 0,
      stages: 2,
    });
  });

  it("may have the names of an earlier release", () => {
    const expected = { gateTimeout: 7, probeTimeout: 8 };
    expect(readOptions(["--gate-timeout", "7", "--probe-timeout=8"])).toMatchObject(expected);
    expect(readOptions(["--gate-seconds", "7", "--probe-seconds=8"])).toMatchObject(expected);
    // Another command's.
    expect(() => readOptions(["--wait", "7"])).toThrow('there is no option "--wait"');
  });

  it.each([
    [["--remains", "lose"], "--remains is keep or drop"],
    [["--stages", "0"], "--stages is a whole number, at least 1"],
    [["--settle-seconds", "-1"], "--settle-seconds"],
    [["--probe", " "], "--probe needs a command"],
    [["--nodes", "a,,b"], "--nodes has an empty name"],
    [["--batch", "0"], "nothing would ever move"],
    [["--batch", "120%"], "there are no more than 100 %"],
    [["--fast"], "--fast"],
    [["now"], "now"],
  ])("%j are refused", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});

describe("probe", () => {
  const problem = async (command: string, seconds = 20) =>
    (await probeFindings(command, seconds, { OVN_UPGRADE_STAGE: "move node1" })).map((finding) => finding.problem);

  it("passes, and receives the stage", async () => {
    expect(await problem('test "$OVN_UPGRADE_STAGE" = "move node1"')).toEqual([]);
  });

  it("fails with its last output", async () => {
    expect(await problem("echo no answer from vm2; exit 3")).toEqual(["it ended with exit code 3: no answer from vm2"]);
    expect(await problem("kill -9 $$")).toEqual(["it ended with a signal"]);
  });

  it("is reported if it does not exist, or can't be run", async () => {
    expect((await problem("/no/such/probe"))[0]).toMatch(/^the command does not exist: .*\/no\/such\/probe/);
    expect((await problem(folder))[0]).toMatch(/^the command can't be run/);
  });

  it("passes at its end, which also ends its background processes", async () => {
    const mark = join(folder, "left");
    expect(await problem(`sh -c "sleep 3; touch ${mark}" & exit 0`)).toEqual([]);
    expect(await problem(`sleep 600 & echo no answer; exit 3`)).toEqual(["it ended with exit code 3: no answer"]);
    // A process group of its own holds the pipes, and is not ended.
    expect(await problem("setsid sleep 4 & exit 0", 1)).toEqual([]);
    await sleep(2_500);
    expect(existsSync(mark)).toBe(false);
  });

  it("is ended with all its processes if it hangs", async () => {
    const mark = join(folder, "mark");
    expect(await problem(`sh -c "sleep 3; touch ${mark}" & sleep 600`, 1)).toEqual(["it did not end within 1 s"]);
    await sleep(2_500);
    expect(existsSync(mark)).toBe(false);
  });
});

describe("Pulumi's CLI", () => {
  const run = (script: string, more: { signal?: AbortSignal; kill?: AbortSignal; outlivesUs?: boolean } = {}) =>
    runApart("/bin/sh", ["-c", script], { cwd: folder, environment: { SAID: "so" }, ...more });

  it("runs in its own process group, which a terminal's Ctrl-C does not reach", async () => {
    // Fields 1 and 5 are the numbers of the process and of its group. (proc_pid_stat(5))
    const { stdout } = await run("cut -d' ' -f1,5 /proc/$$/stat; echo $SAID; pwd");
    const [pid, group, said, cwd] = stdout.trim().split(/\s+/);
    expect([group, said, cwd]).toEqual([pid, "so", folder]);
  });

  it("can survive this process: its output is in deleted files, because a write to a pipe without a reader would kill it", async () => {
    expect(await run("echo failed >&2; readlink /proc/$$/fd/1 /proc/$$/fd/2", { outlivesUs: true })).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^(\S+ \(deleted\)\n){2}$/) as string,
      stderr: "failed\n",
    });
  });

  it("is interrupted on request", async () => {
    const abort = new AbortController();
    const ready = join(folder, "ready");
    const ended = run(`trap 'echo stopped >&2; exit 9' INT; touch ${ready}; while :; do sleep 0.05; done`, { signal: abort.signal });
    ended.catch(() => undefined);
    await until(() => existsSync(ready));
    abort.abort();
    await expect(ended).rejects.toThrow("stopped");
  });

  it("is interrupted immediately on a request before its start", async () => {
    await expect(run("exec sleep 600", { signal: AbortSignal.abort() })).rejects.toThrow("ended with SIGINT");
  });

  it("is killed with its group if it does not stop", async () => {
    const [abort, kill] = [new AbortController(), new AbortController()];
    const [mark, ready] = [join(folder, "survivor"), join(folder, "stubborn")];
    const ended = run(`trap '' INT; (sleep 1; touch ${mark}) & touch ${ready}; sleep 60`, { signal: abort.signal, kill: kill.signal });
    ended.catch(() => undefined);
    await until(() => existsSync(ready));
    abort.abort();
    setImmediate(() => kill.abort());
    await expect(ended).rejects.toThrow("ended with SIGKILL");
    await sleep(1_500);
    expect(existsSync(mark)).toBe(false);
  });

  it("fails with its last output", async () => {
    await expect(run("echo 'error: no such stack' >&2; exit 255")).rejects.toThrow("error: no such stack");
    await expect(run("exit 3")).rejects.toThrow("/bin/sh ended with exit code 3");
    await expect(run("kill -9 $$")).rejects.toThrow("/bin/sh ended with SIGKILL");
  });
});

describe("report", () => {
  it("shows the differences of a row", () => {
    expect(rowText("Port a", undefined, "x=1")).toBe("+ Port a: x=1");
    expect(rowText("Port a", "x=1", undefined)).toBe("- Port a");
    expect(rowText("Port a", "mac=m x=1 y=2", "mac=m x=3")).toBe("~ Port a: x=1 y=2 => x=3");
    expect(rowText("Port a", "mac=m", "mac=m x=3")).toBe("~ Port a: nothing => x=3");
  });

  it("appends JSON lines to an existing file", () => {
    const file = join(folder, "log");
    const said: string[] = [];
    new Reporter(file, { write: (text) => said.push(text) }).log("start", { network: "blue" });
    new Reporter(file, { write: (text) => said.push(text) }).findings([{ gate: "drift", where: "x", problem: "p", remedy: "r" }]);
    const lines = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { time: string });
    expect(lines).toEqual([
      { time: expect.any(String) as string, event: "start", network: "blue" },
      { time: expect.any(String) as string, event: "finding", gate: "drift", where: "x", problem: "p", remedy: "r" },
    ]);
    expect(said).toEqual(["  [drift] x: p\n      r\n"]);
  });

  it("prints the JSON lines, and the text on standard error", () => {
    const spies = (["stdout", "stderr"] as const).map((name) => jest.spyOn(process[name], "write").mockReturnValue(true));
    const printed = () => spies.map(({ mock }) => mock.calls.map(([text]) => String(text)).join(""));
    new Reporter(undefined, { json: true }).findings([{ gate: "drift", where: "x", problem: "p", remedy: "r" }]);
    const [stdout, stderr] = printed();
    for (const spy of spies) spy.mockRestore();
    expect(JSON.parse(stdout!)).toEqual({ time: expect.any(String) as string, event: "finding", gate: "drift", where: "x", problem: "p", remedy: "r" });
    expect(stderr).toBe("  [drift] x: p\n      r\n");
  });

  it("refuses a log that can't be written before any other step", () => {
    expect(() => new Reporter(join(folder, "no", "log"))).toThrow(expect.objectContaining({ code: "OVN_UPGRADE_LOG" }) as Error);
  });

  it("begins with a new line after an incomplete one", () => {
    const file = join(folder, "half");
    appendFileSync(file, '{"time":"2026-');
    new Reporter(file).log("start", {});
    new Reporter(file).log("end", {});
    expect(readFileSync(file, "utf8")).toMatch(/^\{"time":"2026-\n\{.*"start"\}\n\{.*"end"\}\n$/);
  });

  it("continues without a log that can't be written any more, reports it once, and ends on request", () => {
    const file = join(folder, "full");
    const said: string[] = [];
    const reporter = new Reporter(file, { write: (text) => said.push(text) });
    reporter.log("start", {});
    reporter.requireLog();
    rmSync(file);
    mkdirSync(file);
    reporter.log("stage", {});
    reporter.log("update", {});
    expect(said).toEqual([
      expect.stringMatching(/^ {2}warning: can't write to --log: EISDIR: .*; this run logs nothing more, and ends after the current stage\n$/),
    ]);
    expect(() => reporter.requireLog()).toThrow(
      expect.objectContaining({
        code: "OVN_UPGRADE_LOG",
        message: expect.stringMatching(/^can't write to --log: EISDIR: .*: run again to go on$/) as string,
      }) as Error,
    );
    // Room again does not make it whole.
    rmSync(file, { recursive: true });
    reporter.log("done", {});
    expect(existsSync(file)).toBe(false);
  });

  it("shows a limited number of rows, and the number of the others", () => {
    const said: string[] = [];
    const rows = Array.from({ length: 5 }, (_, index) => ({ label: `Port ${index}`, before: undefined, after: "x" }));
    new Reporter(undefined, { write: (text) => said.push(text) }).differences(
      [
        { resource: "a", kind: "K", zone: "z", rows },
        { resource: "b", kind: "K", zone: "z", rows },
      ],
      6,
    );
    expect(
      said
        .join("")
        .split("\n")
        .filter((line) => line.includes("Port")),
    ).toHaveLength(6);
    expect(said.at(-1)).toBe("    and 4 more rows: --dry-run shows all\n");
  });
});

describe("stop", () => {
  const nothing = () => undefined;

  /** A walk that can be stopped, and what came of its signals; `at` is the time in milliseconds. */
  function walk() {
    const done: string[] = [];
    let now = 0;
    const stop = new Stop([() => done.push("ending"), () => done.push("interrupt"), () => done.push("kill")], () => now);
    const signal = (name: "SIGINT" | "SIGTERM" | "SIGHUP", at: number) => {
      now = at;
      process.emit(name, name);
    };
    return { stop, done, signal, [Symbol.dispose]: () => stop[Symbol.dispose]() };
  }

  it("does not shorten a wait without a signal", async () => {
    const left: number[] = [];
    using stop = new Stop([nothing]);
    await stop.wait(1, (seconds) => left.push(seconds));
    expect(left).toEqual([1]);
    expect(() => stop.check()).not.toThrow();
  });

  it("ends a wait at the first signal, the update at the second, and a hanging program at the third", async () => {
    using tested = walk();
    const waiting = tested.stop.wait(600, () => undefined);
    tested.signal("SIGINT", 0);
    await expect(waiting).rejects.toThrow(Interrupted);
    expect([tested.done, tested.stop.asked]).toEqual([["ending"], true]);
    tested.signal("SIGTERM", 5_000);
    expect(tested.done).toEqual(["ending", "interrupt"]);
    tested.signal("SIGINT", 9_000);
    tested.signal("SIGINT", 12_000);
    expect(tested.done).toEqual(["ending", "interrupt", "kill", "kill"]);
  });

  it("rejects at the first signal, without waiting for the work, and after it", async () => {
    using tested = walk();
    expect(await tested.stop.during(Promise.resolve("done"))).toBe("done");
    const waiting = tested.stop.during(Promise.withResolvers().promise);
    tested.signal("SIGINT", 0);
    await expect(waiting).rejects.toThrow(Interrupted);
    await expect(tested.stop.during(Promise.withResolvers().promise)).rejects.toThrow(Interrupted);
  });

  it("counts the two signals of one Ctrl-C, which npm forwards, as one", () => {
    using tested = walk();
    for (const at of [0, 2, 999, 1_000, 1_002]) tested.signal("SIGINT", at);
    expect(tested.done).toEqual(["ending", "interrupt"]);
  });

  it("ends the rollout with its terminal, and never the update", () => {
    using tested = walk();
    for (const at of [0, 2, 5_000, 10_000]) tested.signal("SIGHUP", at);
    expect(tested.done).toEqual(["ending"]);
    tested.signal("SIGINT", 10_001);
    expect(tested.done).toEqual(["ending", "interrupt"]);
  });

  it("removes its signal handlers at the end", () => {
    const counts = () => (["SIGINT", "SIGTERM", "SIGHUP"] as const).map((signal) => process.listenerCount(signal));
    const before = counts();
    {
      using _ = new Stop([nothing]);
      expect(counts()).toEqual(before.map((count) => count + 1));
    }
    expect(counts()).toEqual(before);
  });
});
