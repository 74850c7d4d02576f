import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readOptions } from "../../../sdk/cli/upgrade/options";
import { probeFindings } from "../../../sdk/cli/upgrade/probe";
import { runApart } from "../../../sdk/cli/upgrade/pulumi-process";
import { Reporter, rowText } from "../../../sdk/cli/upgrade/report";
import { holderOf, waitForStack } from "../../../sdk/cli/upgrade/stack-lock";
import { Interrupted, Stop } from "../../../sdk/cli/upgrade/stop";

let folder: string;
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), "upgrade-"))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("options", () => {
  it("have defaults", () => {
    expect(readOptions([])).toEqual({
      cwd: ".", stack: undefined, network: undefined, nodes: [], batch: "1", back: false, remains: undefined, loaded: false, dryRun: false, stages: Infinity,
      probe: undefined, probeSeconds: 60, settleSeconds: undefined, gateSeconds: 30, log: undefined,
    });
  });

  it("are read", () => {
    expect(readOptions(["--nodes", "b, a", "--batch", "25%", "--back", "--remains", "keep", "--settle-seconds", "0", "--stages", "2"])).toMatchObject({
      nodes: ["b", "a"], batch: "25%", back: true, remains: "keep", settleSeconds: 0, stages: 2,
    });
  });

  it.each([
    [["--remains", "lose"], "--remains is keep or drop"], [["--stages", "0"], "--stages is a whole number, at least 1"],
    [["--settle-seconds", "-1"], "--settle-seconds"], [["--probe", " "], "--probe needs a command"], [["--nodes", "a,,b"], "--nodes has an empty name"], [["--batch", "0"], "nothing would ever move"], [["--batch", "120%"], "there are no more than 100 %"], [["--fast"], "--fast"], [["now"], "now"],
  ])("%j are refused", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });
});

describe("probe", () => {
  const problem = async (command: string, seconds = 20) => (await probeFindings(command, seconds, { OVN_UPGRADE_STAGE: "move node1" })).map((finding) => finding.problem);

  it("passes, and is told of the stage", async () => {
    expect(await problem('test "$OVN_UPGRADE_STAGE" = "move node1"')).toEqual([]);
  });

  it("fails with what it said", async () => {
    expect(await problem("echo no answer from vm2; exit 3")).toEqual(["it ended with exit code 3: no answer from vm2"]);
    expect(await problem("kill -9 $$")).toEqual(["it ended with a signal"]);
  });

  it("does not exist, or can't be run", async () => {
    expect((await problem("/no/such/probe"))[0]).toMatch(/^the command does not exist: .*\/no\/such\/probe/);
    expect((await problem(folder))[0]).toMatch(/^the command can't be run/);
  });

  it("hangs, and is ended with all that it started", async () => {
    const mark = join(folder, "mark");
    expect(await problem(`sh -c "sleep 3; touch ${mark}" & sleep 600`, 1)).toEqual(["it did not end within 1 s"]);
    await sleep(2_500);
    expect(existsSync(mark)).toBe(false);
  });
});

describe("Pulumi's CLI", () => {
  const run = (script: string, more: { signal?: AbortSignal; onOutput?: (text: string) => void } = {}) => runApart("/bin/sh", ["-c", script], { cwd: folder, environment: { SAID: "so" }, ...more });

  it("is in a process group of its own, which a terminal's Ctrl-C does not reach", async () => {
    // Fields 1 and 5 are the numbers of the process and of its group. (proc_pid_stat(5))
    const { stdout } = await run("cut -d' ' -f1,5 /proc/$$/stat; echo $SAID; pwd");
    const [pid, group, said, cwd] = stdout.trim().split(/\s+/);
    expect([group, said, cwd]).toEqual([pid, "so", folder]);
  });

  it("is interrupted when it is to be", async () => {
    const abort = new AbortController();
    const ended = run("trap 'echo stopped >&2; exit 9' INT; echo ready; while :; do sleep 0.05; done", { signal: abort.signal, onOutput: () => abort.abort() });
    await expect(ended).rejects.toThrow("stopped");
  });

  it("fails with what it said", async () => {
    await expect(run("echo 'error: no such stack' >&2; exit 255")).rejects.toThrow("error: no such stack");
    await expect(run("exit 3")).rejects.toThrow("/bin/sh ended with exit code 3");
    await expect(run("kill -9 $$")).rejects.toThrow("/bin/sh ended with SIGKILL");
  });
});

describe("report", () => {
  it("shows of a row what differs", () => {
    expect(rowText("Port a", undefined, "x=1")).toBe("+ Port a: x=1");
    expect(rowText("Port a", "x=1", undefined)).toBe("- Port a");
    expect(rowText("Port a", "mac=m x=1 y=2", "mac=m x=3")).toBe("~ Port a: x=1 y=2 => x=3");
    expect(rowText("Port a", "mac=m", "mac=m x=3")).toBe("~ Port a: nothing => x=3");
  });

  it("writes JSON lines, one after the other, to a file that others have written to", () => {
    const file = join(folder, "log");
    const said: string[] = [];
    new Reporter(file, (text) => said.push(text)).log("start", { network: "blue" });
    new Reporter(file, (text) => said.push(text)).findings([{ gate: "drift", where: "x", problem: "p", remedy: "r" }]);
    const lines = readFileSync(file, "utf8").trim().split("\n").map((line) => JSON.parse(line) as { time: string });
    expect(lines).toEqual([{ time: expect.any(String) as string, event: "start", network: "blue" }, { time: expect.any(String) as string, event: "finding", gate: "drift", where: "x", problem: "p", remedy: "r" }]);
    expect(said).toEqual(["  [drift] x: p\n      r\n"]);
  });

  it("refuses a log that can't be written before anything else is done", () => {
    expect(() => new Reporter(join(folder, "no", "log"))).toThrow(expect.objectContaining({ code: "OVN_UPGRADE_LOG" }) as Error);
  });

  it("shows so many rows, and says how many there are more", () => {
    const said: string[] = [];
    const rows = Array.from({ length: 5 }, (_, index) => ({ label: `Port ${index}`, before: undefined, after: "x" }));
    new Reporter(undefined, (text) => said.push(text)).differences([{ resource: "a", kind: "K", zone: "z", rows }, { resource: "b", kind: "K", zone: "z", rows }], 6);
    expect(said.join("").split("\n").filter((line) => line.includes("Port"))).toHaveLength(6);
    expect(said.at(-1)).toBe("    and 4 more rows: --dry-run shows all\n");
  });
});

describe("the stack's lock", () => {
  const locked = (pid: number, host = hostname()) =>
    new Error(`stderr: error: the stack is currently locked by 1 lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n  file:///s/.pulumi/locks/x.json: created by root@${host} (pid ${pid}) at 2026-11-21T02:00:00Z`);
  const GONE = 4_194_305; // above the largest number that Linux gives to a process

  it("tells its holder", () => {
    expect(holderOf(locked(17, "h1"))).toEqual({ host: "h1", pid: 17 });
    expect(holderOf(new Error("something else"))).toBeUndefined();
  });

  it("of a process that is gone is taken away", async () => {
    const done: string[] = [];
    const outcomes = [() => Promise.reject(locked(GONE)), () => Promise.resolve("up")];
    const cancel = () => Promise.resolve(void done.push("cancel"));
    expect(await waitForStack(() => outcomes.shift()!(), { cancel }, (text) => done.push(text))).toBe("up");
    expect(done).toEqual([`process ${GONE}, which had locked the stack, is gone: taking its lock away`, "cancel"]);
  });

  it("of a process that lives is waited for, and left alone", async () => {
    const done: string[] = [];
    const outcomes = [() => Promise.reject(locked(process.pid)), () => Promise.resolve("up")];
    expect(await waitForStack(() => outcomes.shift()!(), { cancel: () => Promise.reject(new Error("cancelled")) }, (text) => done.push(text))).toBe("up");
    expect(done).toEqual([`process ${process.pid} works on the stack: waiting for it`]);
    await expect(waitForStack(() => Promise.reject(locked(process.pid)), { cancel: () => Promise.reject(new Error("cancelled")) }, () => undefined, -1)).rejects.toThrow("currently locked");
  });

  it("of another machine is nobody's business here", async () => {
    await expect(waitForStack(() => Promise.reject(locked(GONE, "elsewhere")), { cancel: () => Promise.reject(new Error("cancelled")) }, () => undefined)).rejects.toThrow("elsewhere");
  });
});

describe("stop", () => {
  it("lets a wait pass", async () => {
    const left: number[] = [];
    using stop = new Stop(() => undefined, () => undefined);
    await stop.wait(1, (seconds) => left.push(seconds));
    expect(left).toEqual([1]);
    expect(() => stop.check()).not.toThrow();
  });

  it("ends a wait at the first signal, and passes the second on", async () => {
    const said: string[] = [];
    let again = 0;
    using stop = new Stop((text) => said.push(text), () => again++);
    const waiting = stop.wait(600, () => undefined);
    process.emit("SIGINT");
    await expect(waiting).rejects.toThrow(Interrupted);
    expect([said.length, again]).toEqual([1, 0]);
    process.emit("SIGTERM");
    expect(again).toBe(1);
  });

  it("leaves signals alone afterwards", () => {
    const before = process.listenerCount("SIGINT");
    {
      using _ = new Stop(() => undefined, () => undefined);
      expect(process.listenerCount("SIGINT")).toBe(before + 1);
    }
    expect(process.listenerCount("SIGINT")).toBe(before);
  });
});
