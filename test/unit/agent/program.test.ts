import { runProgram, runVpcProgram } from "@pulumi-ovn/agent";

// The programs of the agent's package, for hosts without Pulumi, refuse and print as `pulumi-ovn agent` does.

/** Runs a program in this process; returns its output and exit code. */
async function ran(program: typeof runVpcProgram, ...args: string[]) {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    jest.spyOn(process[name], "write").mockImplementation((text) => ((printed[name] += String(text)), true)),
  );
  const before = process.exitCode;
  try {
    await program("agent", args);
    return { code: process.exitCode, ...printed };
  } finally {
    process.exitCode = before;
    for (const spy of spies) spy.mockRestore();
  }
}

test.each<[typeof runVpcProgram, string[], string]>([
  [runProgram, ["--vrf="], "--vrf needs a value"],
  [runProgram, ["--openvswitch", "--once"], '--openvswitch needs a value; for a value that begins with "-", write --openvswitch=--once'],
  [runProgram, ["--southbound", "tcp:a:1", "--southbound=tcp:b:1"], "--southbound is given twice"],
  [runProgram, ["--southbond", "x"], 'there is no option "--southbond"; did you mean "--southbound"?'],
  [runProgram, ["--once=1"], "Option '--once' does not take an argument"],
  [runProgram, ["start"], "Unexpected argument 'start'. This command does not take positional arguments"],
  [runProgram, ["--vpc", "--folder", "x\u001b[2J\u009b"], "--folder x\\u{1b}[2J\\u{9b}: expected a path from / on"],
  [runVpcProgram, ["--folder", ""], "--folder needs a value"],
  [runVpcProgram, ["--listen", "127.0.0.1:1", "--listen", "127.0.0.1:2"], "--listen is given twice"],
  [runVpcProgram, ["--southbound", "unix:x"], 'there is no option "--southbound"'],
])("%p %j is a usage error", async (program, args, message) => {
  expect(await ran(program, ...args)).toEqual({ code: 2, stdout: "", stderr: `agent: OVN_USAGE: ${message}\n` });
});

test("with --json, standard output has the error, with escape sequences as text", async () => {
  const { code, stdout } = await ran(runVpcProgram, "--json", "--folder", "x\u009b2J\u202e");
  expect(code).toBe(2);
  expect(stdout).not.toMatch(/[\u009b\u202e]/);
  expect(JSON.parse(stdout)).toEqual({ version: 1, error: { code: "OVN_USAGE", message: "--folder x\u009b2J\u202e: expected a path from / on" } });
});

test("continues without a reader of its log, and reports that its output is incomplete", async () => {
  const lost = (code: string) => Object.assign(new Error(`${code}: no`), { code });
  const help = ran(runVpcProgram, "--help");
  process.stderr.emit("error", lost("EPIPE"));
  process.stdout.emit("error", lost("ENOSPC"));
  expect(await help).toMatchObject({ code: 1, stderr: "agent: can't write to standard output: ENOSPC: no\n" });
});

test("the usage has each option in at most 100 columns", async () => {
  const [all, vpc] = [await ran(runProgram, "--help"), await ran(runVpcProgram, "-h")];
  for (const { stdout } of [all, vpc]) expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  const names = (text: string) => [...text.matchAll(/^ {2}--([a-z-]+)/gm)].map(([, name]) => name);
  expect(names(all.stdout)).toEqual([
    ...["openvswitch", "southbound", "northbound", "ca", "certificate", "private-key", "any-server-name", "listen", "vrf", "vtysh", "once", "withdraw"],
    ...["dry-run", "json", "bgp", "vpc", "vpc-listen", "folder"],
  ]);
  expect(names(vpc.stdout)).toEqual(["folder", "openvswitch", "listen", "once", "json"]);
});
