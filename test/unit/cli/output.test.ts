import { EventEmitter } from "node:events";
import { outliveOutput, outputFailure } from "@pulumi-ovn/provider/tools";
import { commandLine } from "../../support/command-line";

const lost = (code: string) => Object.assign(new Error(`${code}: no`), { code });
function streams() {
  const [stdout, stderr] = [new EventEmitter(), new EventEmitter()] as unknown as [NodeJS.WriteStream, NodeJS.WriteStream];
  outliveOutput(stdout, stderr);
  return { stdout, stderr };
}

it.each(["EIO", "EPIPE"])("does not fail without a reader (%s)", async (code) => {
  const { stdout, stderr } = streams();
  for (const stream of [stdout, stderr]) stream.emit("error", lost(code));
  expect(await outputFailure()).toBeUndefined();
});

it("fails at the end if standard output has no space left, with the first error", async () => {
  const { stdout, stderr } = streams();
  stderr.emit("error", lost("ENOSPC"));
  expect(await outputFailure()).toBeUndefined();
  process.nextTick(() => {
    for (const code of ["EPIPE", "ENOSPC", "EFBIG"]) stdout.emit("error", lost(code));
  });
  expect(await outputFailure()).toMatchObject({ code: "ENOSPC" });
  streams();
  expect(await outputFailure()).toBeUndefined();
});

it("has one listener, for any number of commands", () => {
  const { stdout, stderr } = streams();
  outliveOutput(stdout, stderr);
  expect([stdout, stderr].map((stream) => stream.listenerCount("error"))).toEqual([1, 1]);
});

it.each([
  [["--version"], 0, 1],
  [["egress", "drain"], 2, 2],
])("%j that can't be written exits %i -> %i", async (args, _before, after) => {
  const ended = commandLine(...args);
  process.stdout.emit("error", lost("ENOSPC"));
  const { code, stderr } = await ended;
  expect([code, stderr]).toEqual([after, expect.stringMatching(/pulumi-ovn: can't write to standard output: ENOSPC: no\n$/)]);
});
