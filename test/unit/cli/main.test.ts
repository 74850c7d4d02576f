import { readFileSync } from "node:fs";
import { join } from "node:path";
import { commandLine as run } from "../../support/command-line";

const COMMANDS = ["agent", "diff", "doctor", "egress", "import", "status", "targets", "trace", "upgrade"];

it.each(COMMANDS)("says the usage of %s in at most 100 columns", async (command) => {
  for (const help of ["--help", "-h"]) {
    const { code, stdout, stderr } = await run(command, help);
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(new RegExp(`^Usage: pulumi-ovn ${command} `));
    expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
  }
});

it("lists every command in at most 100 columns", async () => {
  const { code, stdout } = await run("--help");
  expect(code).toBe(0);
  expect([...stdout.matchAll(/^ {2}(\w+) +\w/gm)].map(([, name]) => name)).toEqual(COMMANDS);
  expect(stdout.split("\n").filter((line) => line.length > 100)).toEqual([]);
});

it("tells its release", async () => {
  const { version } = JSON.parse(readFileSync(join(__dirname, "../../../sdk/package.json"), "utf8")) as { version: string };
  for (const arg of ["--version", "-V", "version"]) expect(await run(arg)).toEqual({ code: 0, stdout: `${version}\n`, stderr: "" });
});

it.each([
  [["improt"], 'pulumi-ovn: there is no command "improt"; did you mean "import"?\n\nUsage: '],
  [["something"], 'pulumi-ovn: there is no command "something"\n\nUsage: '],
  [["toString"], 'pulumi-ovn: there is no command "toString"\n\nUsage: '],
  [["import", "--zone", "a"], 'pulumi-ovn import: OVN_USAGE: there is no option "--zone"; did you mean "--zones"?\n'],
  [["import", "--zone=a"], 'pulumi-ovn import: OVN_USAGE: there is no option "--zone"; did you mean "--zones"?\n'],
  [["import", "--out", "x", "more"], "pulumi-ovn import: OVN_USAGE: Unexpected argument 'more'. This command does not take positional arguments\n"],
  [["upgrade", "--dryrun"], 'pulumi-ovn upgrade: OVN_USAGE: there is no option "--dryrun"; did you mean "--dry-run"?\n'],
  [["upgrade", "--frobnicate"], 'pulumi-ovn upgrade: OVN_USAGE: there is no option "--frobnicate"\n'],
  [["upgrade", "-n"], 'pulumi-ovn upgrade: OVN_USAGE: there is no option "-n"\n'],
  [["upgrade", "--network"], "pulumi-ovn upgrade: OVN_USAGE: Option '--network <value>' argument missing\n"],
  [["egress"], "pulumi-ovn egress: OVN_USAGE: expected: egress drain NODE, or egress restore NODE; see pulumi-ovn egress --help\n"],
  [["egress", "drain"], "pulumi-ovn egress: OVN_USAGE: expected: egress drain NODE, or egress restore NODE; see pulumi-ovn egress --help\n"],
  [["egress", "drian", "node1"], 'pulumi-ovn egress: OVN_USAGE: there is no command "egress drian"; did you mean "drain"?\n'],
  [["egress", "drain", "node1", "--fource"], 'pulumi-ovn egress: OVN_USAGE: there is no option "--fource"; did you mean "--force"?\n'],
])("does not understand %j", async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, ""]);
  if (message.endsWith("Usage: ")) expect(stderr.startsWith(message)).toBe(true);
  else expect(stderr).toBe(message);
});
