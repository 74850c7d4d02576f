import { spawn } from "node:child_process";
import { once } from "node:events";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import { ENDED } from "@pulumi-ovn/sandbox/testing";
import { survivors } from "../../support/processes";
import { until } from "../../support/until";

/** As the kernel does: a group of its own, with further processes. Prints their numbers, then what it reads. */
const GROUP = 'sleep 600 & echo $$ $!; read -r line; echo "$line"; wait';

test("all processes of a guest end when no program holds its stream any more", async () => {
  const shell = spawn("sh", ["-c", ENDED, "setsid", "sh", "-c", GROUP], { stdio: ["pipe", "pipe", "inherit", "pipe"] });
  const closed = once(shell, "close");
  const lines = createInterface(shell.stdout!)[Symbol.asyncIterator]();
  const pids = String((await lines.next()).value)
    .split(" ")
    .map(Number);
  // Its standard input is that of the guest.
  shell.stdin!.write("a line\n");
  expect((await lines.next()).value).toBe("a line");
  // A process has no command while it becomes another program.
  await until(async () => (await survivors(pids, 0)).length === 2);
  (shell.stdio[3] as Socket).destroy();
  await closed;
  expect(await survivors(pids, 10_000)).toEqual([]);
});
