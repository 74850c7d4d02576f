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
const told = async (place: HostTarget, ...texts: string[]) =>
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

describe("scripts of one piece of work", () => {
  it("go over one run of the host's command, also behind one that fails, and each has its own answer", async () => {
    const place = hostBy('exec "$@"');
    const found = await overOneShell(place, async (own) => [
      await told(own, "one", "two"),
      (await runOnHost(own, [say("three", 1), say("four")])).map(({ status, stdout }) => [status, stdout]),
      await told(own, "five"),
    ]);
    expect(found).toEqual([[answer("one"), answer("two")], [[1, "three\n"]], [answer("five")]]);
    expect(await runs()).toBe(1);
    await told(place, "six");
    expect(await runs()).toBe(2);
  });

  it("are read whole, however long, by whatever has an input of its own", async () => {
    const input = `${"x".repeat(99)}\n`.repeat(5_000);
    const sizes = await overOneShell(hostBy('exec "$@"'), async (own) => {
      const first = await runOnHost(own, [{ argv: ["cat"], input }, { argv: ["wc", "-c"] }]);
      return [...first, ...(await runOnHost(own, [{ argv: ["cat"], input }]))].map(({ stdout }) => stdout.trim().length);
    });
    expect(sizes).toEqual([input.length - 1, 1, input.length - 1]);
    expect(await runs()).toBe(1);
  });

  it("need no run where there are none", async () => {
    expect(await overOneShell(hostBy('exec "$@"'), () => Promise.resolve("nothing"))).toBe("nothing");
    expect(await runs()).toBe(0);
  });

  it("leave nothing that runs, whether the work is done or fails", async () => {
    const leaderIsGone = async () => {
      const leader = Number(await readFile(join(folder, "pid"), "utf8"));
      expect(leader).toBeGreaterThan(1);
      expect(isGone(leader)).toBe(true);
    };
    const place = hostBy(`echo $$ >${folder}/pid; exec "$@"`);
    await overOneShell(place, (own) => told(own, "one"));
    await leaderIsGone();
    const failing = overOneShell(place, async (own) => {
      await told(own, "one");
      throw new Error("enough");
    });
    await expect(failing).rejects.toThrow("enough");
    await leaderIsGone();
  });

  it("get another run where the shell has ended in between", async () => {
    const place = hostBy(`echo $$ >${folder}/pid; exec "$@"`);
    const found = await overOneShell(place, async (own) => {
      const first = await told(own, "one");
      process.kill(Number(await readFile(join(folder, "pid"), "utf8")), "SIGKILL");
      // The end is not noticed yet.
      const second = await told(own, "two");
      process.kill(Number(await readFile(join(folder, "pid"), "utf8")), "SIGKILL");
      await sleep(100);
      return [first, second, await told(own, "three")];
    });
    expect(found).toEqual([[answer("one")], [answer("two")], [answer("three")]]);
    expect(await runs()).toBe(3);
  });

  it("end the run before another one begins", async () => {
    const place = hostBy(`echo $$ >>${folder}/pid; "$@"; sleep 1000`, { timeout: 1 });
    await overOneShell(place, async (own) => {
      // Longer than the run's input stays open.
      await runOnHost(own, [{ argv: ["sleep", "0.7"] }]);
      await told(own, "two");
    });
    const leaders = (await readFile(join(folder, "pid"), "utf8")).trim().split("\n").map(Number);
    expect(leaders).toHaveLength(2);
    // The last process is ended by a signal, and the caller does not wait for it.
    await until(() => leaders.every(isGone));
  });
});

describe("a command that is not a bare way to a shell", () => {
  it("may pass its input on when that has ended: then each script has a run of its own", async () => {
    const found = await overOneShell(hostBy('script=$(cat); printf "%s\\n" "$script" | "$@"'), async (own) => [
      await told(own, "one"),
      await told(own, "two"),
      await told(own, "three"),
    ]);
    expect(found).toEqual([[answer("one")], [answer("two")], [answer("three")]]);
    expect(await runs()).toBe(3);
  });

  it("is found out within the timeout of the host, however short", async () => {
    const place = hostBy('script=$(cat); printf "%s\\n" "$script" | "$@"', { timeout: 1 });
    expect(await told(place, "one")).toEqual([answer("one")]);
  });

  it("may lose what programs say of errors", async () => {
    const found = await overOneShell(hostBy('exec "$@" 2>/dev/null'), async (own) => [await told(own, "one"), await told(own, "two")]);
    expect(found).toEqual([[["one\n", ""]], [["two\n", ""]]]);
  });

  it("may be slower with what programs say of errors", async () => {
    const found = await overOneShell(hostBy('{ "$@" 2>&1 >&3 3>&- | { sleep 0.3; cat >&2; }; } 3>&1'), async (own) => [
      await told(own, "one"),
      await told(own, "two"),
    ]);
    expect(found).toEqual([[answer("one")], [answer("two")]]);
  });

  it("that ends before the script did is reported, in the first script as in a later one", async () => {
    const place = hostBy(`echo $$ >${folder}/pid; exec "$@"`);
    const suicide = { argv: ["sh", "-c", `kill -9 $(cat ${folder}/pid)`] };
    await expect(runOnHost(place, [suicide])).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE" });
    await expect(
      overOneShell(place, async (own) => {
        await told(own, "one");
        await runOnHost(own, [suicide]);
      }),
    ).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE", message: expect.stringContaining("by SIGKILL before its work was done") as string });
  });
});

describe("limits", () => {
  it("are for each script: all of them may take longer than the timeout of the host", async () => {
    await overOneShell(hostBy('exec "$@"', { timeout: 2 }), async (own) => {
      for (let count = 0; count < 6; count++) await runOnHost(own, [{ argv: ["sleep", "0.4"] }]);
    });
  });

  it("end a later script, too, and all that it has started", async () => {
    const hanging = overOneShell(hostBy('exec "$@"', { timeout: 1 }), async (own) => {
      await told(own, "one");
      await runOnHost(own, [{ argv: ["sh", "-c", `echo $$ >${folder}/pid; exec sleep 1000`] }]);
    });
    await expect(hanging).rejects.toMatchObject({ code: "OVN_HOST_UNREACHABLE", message: expect.stringContaining("did not end within 1 s") as string });
    const sleeper = Number(await readFile(join(folder, "pid"), "utf8"));
    // The process that inherits the child may reap it a moment later.
    const state = () => spawnSync("ps", ["-o", "stat=", "-p", String(sleeper)], { encoding: "utf8" }).stdout.trim();
    while (!/^(?:Z.*)?$/.test(state())) await sleep(10);
  });

  it("a signal ends the shell between two scripts, and no other begins", async () => {
    const controller = new AbortController();
    const place = { ...hostBy('exec "$@"'), signal: controller.signal };
    const stopped = overOneShell(place, async (own) => {
      await told(own, "one");
      controller.abort(new Error("enough"));
      await told(own, "two");
    });
    await expect(stopped).rejects.toMatchObject({ code: "OVN_HOST_ABORTED" });
    expect(await runs()).toBe(1);
  });
});
