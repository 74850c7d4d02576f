import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { numbersRead } from "@pulumi-ovn/sandbox/testing";

describe("a script that enters a sandbox", () => {
  let folder: string;
  /** As `unshare`, whose child is the first process of the sandbox. */
  let first: ChildProcess;
  let child: string;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "a sandbox "));
    mkdirSync(join(folder, "node1"));
    writeFileSync(join(folder, "node1/pid"), "17\n");
    first = spawn("sh", ["-c", "sleep 60 & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
    child = String((await once(first.stdout!, "data"))[0]).trim();
    writeFileSync(join(folder, "unshare.pid"), `${first.pid}\n`);
  });
  afterAll(() => {
    process.kill(-first.pid!, "SIGKILL");
    rmSync(folder, { recursive: true });
  });

  /** Values that a POSIX shell without programs reads, or its exit status. */
  const read = (...place: [string?]): string | number => {
    try {
      return execFileSync("/bin/sh", ["-c", `PATH=/none; ${numbersRead(folder, ...place)} && echo "$init $holder"`], { stdio: ["ignore", "pipe", "ignore"] })
        .toString()
        .trim();
    } catch (error) {
      return (error as { status: number }).status;
    }
  };

  it("reads the process ids of the sandbox and of a namespace without starting a program", () => {
    expect(read("node1")).toBe(`${child} 17`);
    expect(read()).toBe(child);
  });

  it("ends with an error for a missing namespace, and for a sandbox that has ended", () => {
    expect(read("node2")).not.toBe(0);
    writeFileSync(join(folder, "unshare.pid"), `${child}\n`);
    expect(read("node1")).toBe(1);
    writeFileSync(join(folder, "unshare.pid"), "999999999\n");
    expect(read("node1")).not.toBe(0);
    expect(typeof read("node1")).toBe("number");
  });
});
