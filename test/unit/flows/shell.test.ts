import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type HostTarget, overOneShell } from "@pulumi-ovn/provider/testing";
import { runOnHost } from "@pulumi-ovn/provider/tools";
import { until } from "../../support/until";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "shell-"));
  await writeFile(join(folder, "ovs-ofctl"), "#!/bin/sh\nexit 0\n", { mode: 0o755 });
  await writeFile(join(folder, "runs"), "");
});
afterEach(() => rm(folder, { recursive: true }));

/** A host whose command is a shell's words, in which "$@" leads to the shell. */
const hostBy = (words: string, host: object = {}): HostTarget => ({
  host: { command: ["env", `PATH=${folder}:${process.env["PATH"]}`, "sh", "-c", `echo run >>${folder}/runs; ${words}`, "leading"], ...host },
});
const runs = async () => (await readFile(join(folder, "runs"), "utf8")).match(/run/g)?.length ?? 0;
const say = (text: string, status = 0) => ({ argv: ["sh", "-c", `echo ${text}; echo oops ${text} >&2; exit ${status}`] });
const outputsOf = async (place: HostTarget, ...texts: string[]) =>
  (
    await runOnHost(
      place,
      texts.map((text) => say(text)),
    )
  ).map(({ stdout, stderr }) => [stdout, stderr]);
/** Whether nothing is left of a process group. */
function isGone(leader: number): boolean {
  try {
    return !process.kill(-leader, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
const answer = (text: string) => [`${text}\n`, `oops ${text}\n`];

describe("several scripts in one shell", () => {
  it("use one run of the host's command, also after a failed script, and return separate results", async () => {
    const place = hostBy('exec "$@"');
    const found = await overOneShell(place, async (own) => [
      await outputsOf(own, "one", "two"),
      (await runOnHost(own, [say("three", 1), say("four")])).map(({ status, stdout }) => [status, stdout]),
      await outputsOf(own, "five"),
    ]);
    expect(found).toEqual([[answer("one"), answer("two")], [[1, "three\n"]], [answer("five")]]);
    expect(await runs()).toBe(1);
    await outputsOf(place, "six");
    expect(await runs()).toBe(2);
  });

  it("are read completely, at any length, by programs with their own input", async () => {
    const input = `${"x".repeat(99)}\n`.repeat(5_000);
    const sizes = await overOneShell(hostBy('exec "$@"'), async (own) => {
      const first = await runOnHost(own, [{ argv: ["cat"], input }, { argv: ["wc", "-c"] }]);
      return [...first, ...(await runOnHost(own, [{ argv: ["cat"], input }]))].map(({ stdout }) => stdout.trim().length);
    });
    expect(sizes).toEqual([input.length - 1, 1, input.length - 1]);
    expect(await runs()).toBe(1);
  });

  it("start no shell without a script", async () => {
    expect(await overOneShell(hostBy('exec "$@"'), () => Promise.resolve("nothing"))).toBe("nothing");
    expect(await runs()).toBe(0);
  });

  it("leave no process, after success and after failure", async () => {
    const leaderIsGone = async () => {
      const leader = Number(await readFile(join(folder, "pid"), "utf8"));
      expect(leader).toBeGreaterThan(1);
      expect(isGone(leader)).toBe(true);
    };
    const place = hostBy(`echo $$ >${folder}/pid; exec "$@"`);
    await overOneShell(place, (own) => outputsOf(own, "one"));
    await leaderIsGone();
    const failing = overOneShell(place, async (own) => {
      await outputsOf(own, "one");
      throw new Error("enough");
    });
    await expect(failing).rejects.toThrow("enough");
    await leaderIsGone();
  });

  it("start a new shell if the last one has ended", async () => {
    const place = hostBy(`echo $$ >${folder}/pid; exec "$@"`);
    const found = await overOneShell(place, async (own) => {
      const first = await outputsOf(own, "one");
      process.kill(Number(await readFile(join(folder, "pid"), "utf8")), "SIGKILL");
      // The end is not noticed yet.
      const second = await outputsOf(own, "two");
      process.kill(Number(await readFile(join(folder, "pid"), "utf8")), "SIGKILL");
      await sleep(100);
      return [first, second, await outputsOf(own, "three")];
    });
    expect(found).toEqual([[answer("one")], [answer("two")], [answer("three")]]);
    expect(await runs()).toBe(3);
  });

  it("end a shell before the next one starts", async () => {
    const place = hostBy(`echo $$ >>${folder}/pid; "$@"; sleep 1000`, { timeout: 1 });
    await overOneShell(place, async (own) => {
      // Longer than the run's input stays open.
      await runOnHost(own, [{ argv: ["sleep", "0.7"] }]);
      await outputsOf(own, "two");
    });
    const leaders = (await readFile(join(folder, "pid"), "utf8")).trim().split("\n").map(Number);
    expect(leaders).toHaveLength(2);
    // The last process is ended by a signal, and the caller does not wait for it.
    await until(() => leaders.every(isGone));
  });
});

describe("a command that does more than start a shell", () => {
  it("may forward its input only at its end; then each script has its own run", async () => {
    const found = await overOneShell(hostBy('script=$(cat); printf "%s\\n" "$script" | "$@"'), async (own) => [
      await outputsOf(own, "one"),
      await outputsOf(own, "two"),
      await outputsOf(own, "three"),
    ]);
    expect(found).toEqual([[answer("one")], [answer("two")], [answer("three")]]);
    expect(await runs()).toBe(3);
  });

  it("is detected within the host's timeout, also a short one", async () => {
    const place = hostBy('script=$(cat); printf "%s\\n" "$script" | "$@"', { timeout: 1 });
    expect(await outputsOf(place, "one")).toEqual([answer("one")]);
  });

  it("may drop standard error", async () => {
    const found = await overOneShell(hostBy('exec "$@" 2>/dev/null'), async (own) => [await outputsOf(own, "one"), await outputsOf(own, "two")]);
    expect(found).toEqual([[["one\n", ""]], [["two\n", ""]]]);
  });

  it("may delay standard error", async () => {
    const found = await overOneShell(hostBy('{ "$@" 2>&1 >&3 3>&- | { sleep 0.3; cat >&2; }; } 3>&1'), async (own) => [
      await outputsOf(own, "one"),
      await outputsOf(own, "two"),
    ]);
    expect(found).toEqual([[answer("one")], [answer("two")]]);
  });

  it("is reported if it ends before the script, for the first and for later scripts", async () => {
    const place = hostBy(`echo $$ >${folder}/pid; exec "$@"`);
    const suicide = { argv: ["sh", "-c", `kill -9 $(cat ${folder}/pid)`] };
    await expect(runOnHost(place, [suicide])).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE" });
    await expect(
      overOneShell(place, async (own) => {
        await outputsOf(own, "one");
        await runOnHost(own, [suicide]);
      }),
    ).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE", message: expect.stringContaining("by SIGKILL before its work was done") as string });
  });
});

describe("limits", () => {
  it("apply to each script: together they may take longer than the host's timeout", async () => {
    await overOneShell(hostBy('exec "$@"', { timeout: 2 }), async (own) => {
      for (let count = 0; count < 6; count++) await runOnHost(own, [{ argv: ["sleep", "0.4"] }]);
    });
  });

  it("end a later script with all its processes", async () => {
    const hanging = overOneShell(hostBy('exec "$@"', { timeout: 1 }), async (own) => {
      await outputsOf(own, "one");
      await runOnHost(own, [{ argv: ["sh", "-c", `echo $$ >${folder}/pid; exec sleep 1000`] }]);
    });
    await expect(hanging).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE", message: expect.stringContaining("did not end within 1 s") as string });
    const sleeper = Number(await readFile(join(folder, "pid"), "utf8"));
    // The process that inherits the child may reap it a moment later.
    const state = () => spawnSync("ps", ["-o", "stat=", "-p", String(sleeper)], { encoding: "utf8" }).stdout.trim();
    while (!/^(?:Z.*)?$/.test(state())) await sleep(10);
  });

  it("a signal between two scripts ends the shell, and no script follows", async () => {
    const controller = new AbortController();
    const place = { ...hostBy('exec "$@"'), signal: controller.signal };
    const stopped = overOneShell(place, async (own) => {
      await outputsOf(own, "one");
      controller.abort(new Error("enough"));
      await outputsOf(own, "two");
    });
    await expect(stopped).rejects.toMatchObject({ code: "OVN_HOST_ABORTED" });
    expect(await runs()).toBe(1);
  });
});
