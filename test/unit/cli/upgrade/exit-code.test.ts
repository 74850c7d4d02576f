import { EngineError, failed, Halt, Interrupted } from "@pulumi-ovn/cli/testing";

const stopped = new EngineError("OVN_UPGRADE_ENGINE", "pulumi ended with SIGINT");

it.each([
  ["a halt", new Halt("2 checks failed"), false, 1, "pulumi-ovn upgrade: 2 checks failed\n", "2 checks failed"],
  [
    "an update that a signal stopped",
    new Halt("the update was not completed"),
    true,
    130,
    "pulumi-ovn upgrade: the update was not completed\n",
    "the update was not completed",
  ],
  ["a signal between two stages", new Interrupted(), true, 130, "pulumi-ovn upgrade: interrupted; run again to go on\n", "run again to go on"],
  ["a preview that a signal stopped", stopped, true, 130, "pulumi-ovn upgrade: interrupted; pulumi ended with SIGINT\n", "pulumi ended with SIGINT"],
])("%s has its exit code, a line of text and one in the log", (_title, error, asked, code, text, logText) => {
  const write = jest.spyOn(process.stderr, "write").mockReturnValue(true);
  const logged: unknown[] = [];
  try {
    expect(failed(error, { log: (event, data) => logged.push([event, data]) }, asked)).toBe(code);
    expect(write.mock.calls).toEqual([[text]]);
    expect(logged).toEqual([["end", { message: logText }]]);
  } finally {
    write.mockRestore();
  }
});

it("passes other errors to the command line", () => {
  expect(() => failed(stopped, { log: () => undefined }, false)).toThrow(stopped);
  expect(() => failed(new TypeError("x"), { log: () => undefined }, true)).toThrow(TypeError);
});
