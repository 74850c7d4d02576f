import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { endsWithProcess, killGroup } from "@pulumi-ovn/ovsdb-client";

interface Family {
  readonly leader: ChildProcess;
  readonly child: number;
}

let families: Family[] = [];

/** A shell that has started another program, in a group of their own. By itself it ends long after a test would have failed. */
async function family(): Promise<Family> {
  const leader = spawn("sh", ["-c", "sleep 3600 & echo $!; wait"], { stdio: ["ignore", "pipe", "ignore"], detached: true });
  const [said] = (await once(leader.stdout!, "data")) as [Buffer];
  const made = { leader, child: Number(said.toString()) };
  families.push(made);
  return made;
}

afterEach(() => {
  // If the output has ended, another program may have the process id by now.
  for (const { leader, child } of families) if (!leader.stdout!.readableEnded) process.kill(child, "SIGKILL");
  families = [];
});

/** A standard output has ended when all that hold it have. */
const over = async ({ stdout }: ChildProcess) => void (await once(stdout!.resume(), "end"));

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it.each(["SIGTERM", "SIGKILL"] as const)("%s reaches the leader and what it has started", async (signal) => {
  const { leader, child } = await family();
  const exited = once(leader, "exit");
  expect([isThere(child), child === leader.pid]).toEqual([true, false]);
  killGroup(leader, signal);
  await over(leader);
  expect(await exited).toEqual([null, signal]);
});

it("reaches the other processes after the leader's end", async () => {
  const { leader } = await family();
  const exited = once(leader, "exit");
  leader.kill("SIGKILL");
  await exited;
  killGroup(leader, "SIGKILL");
  await over(leader);
});

it("has no effect on a deleted group, and on a program that could not be started", async () => {
  const { leader } = await family();
  const exited = once(leader, "exit");
  killGroup(leader, "SIGKILL");
  await over(leader);
  await exited;
  const kill = jest.spyOn(process, "kill");
  expect(() => killGroup(leader, "SIGKILL")).not.toThrow();
  expect(kill.mock.calls).toEqual([[-leader.pid!, "SIGKILL"]]);
  const none = spawn("/no/such/program", [], { detached: true });
  const failed = once(none, "error");
  killGroup(none, "SIGKILL");
  expect(kill).toHaveBeenCalledTimes(1);
  expect(await failed).toMatchObject([{ code: "ENOENT" }]);
  kill.mockRestore();
});

it("reaches only the leader without process groups", () => {
  const platform = Object.getOwnPropertyDescriptor(process, "platform")!;
  const [kill, signals] = [jest.spyOn(process, "kill"), [] as unknown[]];
  Object.defineProperty(process, "platform", { ...platform, value: "win32" });
  try {
    killGroup({ pid: 7, kill: (signal: unknown) => signals.push(signal) } as unknown as ChildProcess, "SIGKILL");
    expect([signals, kill.mock.calls]).toEqual([["SIGKILL"], []]);
  } finally {
    Object.defineProperty(process, "platform", platform);
    kill.mockRestore();
  }
});

it("ends at the exit of this process, unless it has ended before or was never started", async () => {
  const listening = jest.spyOn(process, "once");
  const [left, gone] = [await family(), await family()];
  for (const { leader } of [left, gone]) endsWithProcess(leader);
  const none = spawn("/no/such/program", [], { detached: true });
  const failed = once(none, "error");
  endsWithProcess(none);
  await failed;
  expect(listening.mock.calls.map(([event]) => event)).toEqual(["exit"]);
  const exited = once(gone.leader, "exit");
  killGroup(gone.leader, "SIGKILL");
  await Promise.all([exited, over(gone.leader)]);
  const [kill, ended] = [jest.spyOn(process, "kill"), once(left.leader, "exit")];
  (listening.mock.calls[0]![1] as () => void)();
  expect(kill.mock.calls).toEqual([[-left.leader.pid!, "SIGKILL"]]);
  await over(left.leader);
  expect(await ended).toEqual([null, "SIGKILL"]);
  for (const spy of [listening, kill]) spy.mockRestore();
});
