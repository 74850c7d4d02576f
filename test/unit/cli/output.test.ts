import { EventEmitter } from "node:events";
import { outliveOutput, outputFailure } from "@pulumi-ovn/cli/testing";
import { commandLine } from "../../support/command-line";

const lost = (code: string) => Object.assign(new Error(`${code}: no`), { code });
function streams() {
  const [stdout, stderr] = [new EventEmitter(), new EventEmitter()] as unknown as [NodeJS.WriteStream, NodeJS.WriteStream];
  outliveOutput(stdout, stderr);
  return { stdout, stderr };
}

it.each(["EIO", "EPIPE"])("that no one reads any more is not a failure (%s)", async (code) => {
  const { stdout, stderr } = streams();
  for (const stream of [stdout, stderr]) stream.emit("error", lost(code));
  expect(await outputFailure()).toBeUndefined();
});

it("that there is no room for is a failure of standard output, in the end; the first one counts", async () => {
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

it("is listened to once, however often commands run", () => {
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
