import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { commandLine as run } from "../../support/command-line";

const COMMANDS = [
  "agent",
  "apply",
  "cancel",
  "completion",
  "confirm",
  "diff",
  "doctor",
  "drift",
  "egress",
  "guard",
  "import",
  "pending",
  "picture",
  "simulate",
  "status",
  "targets",
  "trace",
  "upgrade",
];

it.each(COMMANDS)("prints the usage of %s in at most 100 columns", async (command) => {
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

it.each(COMMANDS)("%s takes --stack, --cwd and --json, or its usage names them as missing", async (command) => {
  const { stdout } = await run(command, "--help");
  for (const option of ["--stack", "--cwd", "--json"]) expect(stdout).toMatch(new RegExp(`^  ${option}\\b|There is no [^.]*${option}\\b`, "m"));
});

it("refuses a missing folder of --cwd in every command", async () => {
  const missing = join(__dirname, "none");
  for (const command of COMMANDS.filter((name) => !["agent", "completion"].includes(name))) {
    const { code, stderr } = await run(command, "--cwd", missing);
    // 2 is drift's exit code for drift.
    expect([command, code, stderr]).toEqual([
      command,
      command === "drift" ? 1 : 2,
      `pulumi-ovn ${command}: OVN_USAGE: --cwd ${missing}: there is no such folder\n`,
    ]);
  }
});

it("exits with 1 for an unknown stack, in every command that takes one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "main-"));
  const path = process.env["PATH"];
  try {
    writeFileSync(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\n");
    writeFileSync(join(folder, "Pulumi.dev.yaml"), "config: {}\n");
    // Answers as Pulumi does.
    writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n[ "$1" = version ] && echo v3.270.0 && exit\necho "error: no stack named 'dve' found" >&2; exit 255\n`, {
      mode: 0o755,
    });
    process.env["PATH"] = `${folder}:${path}`;
    const words: Record<string, string[]> = {
      cancel: ["0123abcd"],
      confirm: ["0123abcd"],
      egress: ["drain", "node1"],
      trace: ["--from", "a", "--to", "10.0.0.1"],
    };
    const named: string[] = [];
    // `import` names the stack that will be.
    for (const command of COMMANDS.filter((name) => !["agent", "completion", "import"].includes(name))) {
      const { code, stderr } = await run(command, ...(words[command] ?? []), "--stack", "dve", "--cwd", folder);
      expect([command, code]).toEqual([command, 1]);
      if (stderr.includes(`OVN_CONFIG: ${folder} has no Pulumi.dve.yaml; did you mean "Pulumi.dev.yaml"?`)) named.push(command);
      else expect(stderr).toContain("no stack named 'dve' found");
    }
    expect(named).toEqual(["confirm", "doctor", "egress", "guard", "pending", "targets"]);
  } finally {
    process.env["PATH"] = path;
    rmSync(folder, { recursive: true });
  }
});

it("prints its release", async () => {
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
  [["diff", "--bogus"], 'pulumi-ovn diff: OVN_USAGE: there is no option "--bogus"\n'],
  [["doctor", "--timeuot", "3"], 'pulumi-ovn doctor: OVN_USAGE: there is no option "--timeuot"; did you mean "--timeout"?\n'],
  [["doctor", "--timeout", "0"], "pulumi-ovn doctor: OVN_USAGE: --timeout 0: expected seconds, 1 to 600\n"],
  [["doctor", "zone1"], "pulumi-ovn doctor: OVN_USAGE: Unexpected argument 'zone1'. This command does not take positional arguments\n"],
  [["status", "--wait", "3"], 'pulumi-ovn status: OVN_USAGE: there is no option "--wait"\n'],
  [["targets", "--jsno"], 'pulumi-ovn targets: OVN_USAGE: there is no option "--jsno"; did you mean "--json"?\n'],
  [["completion"], "pulumi-ovn completion: OVN_USAGE: expected one shell: bash, zsh, fish\n"],
  [["completion", "bsh"], 'pulumi-ovn completion: OVN_USAGE: there is no script for "bsh"; did you mean "bash"?; expected bash, zsh, fish\n'],
  [["upgrade", "--batch", "x"], 'pulumi-ovn upgrade: OVN_UPGRADE_BATCH: a batch is a number of nodes (3) or a part of all nodes (25%), not "x"\n'],
  [["upgrade", "--network"], "pulumi-ovn upgrade: OVN_USAGE: --network needs a value\n"],
  [["upgrade", "--stages", "2", "--stages=3"], "pulumi-ovn upgrade: OVN_USAGE: --stages is given twice\n"],
  [["upgrade", "--revert-in", "3601"], "pulumi-ovn upgrade: OVN_USAGE: --revert-in 3601: expected seconds, 10 to 3600\n"],
  [["apply", "--stack", ""], "pulumi-ovn apply: OVN_USAGE: --stack needs a value\n"],
  [["egress", "drain", "a", "--skip", "a", "--skip", "b"], "pulumi-ovn egress: OVN_USAGE: --skip is given twice\n"],
  [["trace", "--from", "--to", "x"], 'pulumi-ovn trace: OVN_USAGE: --from needs a value; for a value that begins with "-", write --from=--to\n'],
  [["doctor", "--timeout=-1"], "pulumi-ovn doctor: OVN_USAGE: --timeout -1: expected seconds, 1 to 600\n"],
  [["egress"], "pulumi-ovn egress: OVN_USAGE: expected: egress drain NODE, or egress restore NODE; see pulumi-ovn egress --help\n"],
  [["egress", "drain"], "pulumi-ovn egress: OVN_USAGE: expected: egress drain NODE, or egress restore NODE; see pulumi-ovn egress --help\n"],
  [["egress", "drian", "node1"], 'pulumi-ovn egress: OVN_USAGE: there is no command "egress drian"; did you mean "drain"?\n'],
  [["egress", "drain", "node1", "--fource"], 'pulumi-ovn egress: OVN_USAGE: there is no option "--fource"; did you mean "--force"?\n'],
])("refuses %j as a usage error", async (args, message) => {
  const { code, stdout, stderr } = await run(...args);
  expect([code, stdout]).toEqual([2, ""]);
  if (message.endsWith("Usage: ")) expect(stderr.startsWith(message)).toBe(true);
  else expect(stderr).toBe(message);
});

it("prints one JSON object after an error with --json, in every command with this option", async () => {
  const withJson = [];
  for (const command of COMMANDS) {
    const { stdout: usage } = await run(command, "--help");
    const { stdout, stderr } = await run(command, "--json", "--zzz");
    const message = 'there is no option "--zzz"';
    expect(stderr).toBe(`pulumi-ovn ${command}: OVN_USAGE: ${/^ {2}--json /m.test(usage) ? message : 'there is no option "--json"'}\n`);
    if (stdout !== "") withJson.push([command, JSON.parse(stdout), /^ {2}--json /m.test(usage)]);
    else expect(usage).not.toMatch(/^ {2}--json /m);
  }
  const error = { version: 1, error: { code: "OVN_USAGE", message: 'there is no option "--zzz"' } };
  expect(withJson).toEqual(
    ["agent", "diff", "doctor", "drift", "egress", "import", "pending", "simulate", "status", "targets", "trace", "upgrade"].map((name) => [name, error, true]),
  );
});

it("prints nothing for programs after -- or without --json", async () => {
  for (const args of [["--zzz"], ["--none", "--", "--json"]]) expect((await run("diff", ...args)).stdout).toBe("");
});

it("prints no second document after the command's own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "main-"));
  try {
    const file = join(folder, "preview.json");
    writeFileSync(file, JSON.stringify({ steps: [], diagnostics: [{ severity: "error", message: "no \u001b[31m\u009b1m\u202e way" }] }));
    const { code, stdout, stderr } = await run("diff", file, "--json");
    expect([code, stderr]).toEqual([1, "pulumi-ovn diff: OVN_PREVIEW_FAILED: the preview has errors; what it shows is not the whole change\n"]);
    expect(stdout).not.toMatch(/[\u001b\u009b\u202e]/);
    expect(JSON.parse(stdout)).toMatchObject({ diagnostics: [{ message: expect.stringContaining("\u202e way") as string }] });
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it("passes no escape sequence on to a terminal", async () => {
  expect((await run("no\u001b[2Jne")).stderr).toMatch(/^pulumi-ovn: there is no command "no\\u\{1b\}\[2Jne"\n/);
  expect(await run("drift", "--state", "/a\u009b2J\r/b")).toEqual({
    code: 1,
    stdout: "",
    stderr: "pulumi-ovn drift: OVN_STATE: can't read /a\\u{9b}2J\\u{d}/b: ENOENT: no such file or directory, open '/a\\u{9b}2J\\u{d}/b'\n",
  });
});
