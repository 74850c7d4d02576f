import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync, chmodSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { outcomeOf, portsOf, scriptOf, type Step } from "@pulumi-ovn/provider/testing";
import { quote } from "@pulumi-ovn/provider/tools";

const folder = mkdtempSync(join(tmpdir(), "script-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Programs that the script looks for. */
const program = (name: string, text: string): void => {
  writeFileSync(join(folder, name), `#!/bin/sh\n${text}\n`);
  chmodSync(join(folder, name), 0o755);
};
program("ovs-ofctl", "exit 0");
program("ovs-vsctl", 'case "$3" in gone) exit 2;; esac; exit 0');

const MARK = "mark-1";
const shells = ["dash", "bash", "busybox"]
  .filter((shell) => spawnSync(shell, ["-c", ":"]).status === 0 || spawnSync(shell, ["true"]).status === 0)
  .map((shell) => (shell === "busybox" ? ["busybox", "sh"] : [shell]));
const environment = { PATH: `${folder}:${process.env["PATH"]}` };

function run(steps: readonly Step[], [shell, ...args]: readonly string[] = ["sh"]) {
  const { stdout, stderr } = spawnSync(shell!, args, { input: scriptOf(steps, MARK), encoding: "utf8", env: environment, cwd: folder });
  return outcomeOf(MARK, stdout, stderr);
}

it("runs on this machine's shells", () => expect(shells.length).toBeGreaterThan(0));

describe.each(shells)("in %s", (...shell) => {
  it("passes words and input to programs unchanged", () => {
    const words = ["a b", "$HOME", "'", '"', "`id`", "\\", "*", "", "-n", "é"];
    const input = "$HOME `id` \\ ' \"\n\tmark-1x\n \n";
    const { steps } = run([{ argv: ["printf", "%s|", ...words] }, { argv: ["cat"], input }, { argv: ["cat"] }], shell);
    expect(steps.map(({ stdout }) => stdout)).toEqual([words.map((word) => `${word}|`).join(""), input, ""]);
  });

  it("stops at the first failure, separates the output of commands, and waits for its bridge", () => {
    const say = (text: string, status: number): string[] => ["sh", "-c", `echo out ${text}; echo err ${text} >&2; exit ${status}`];
    expect(
      run([{ argv: say("one", 0), bridge: "gone" }, { argv: say("two", 2) }, { argv: say("three", 1), bridge: "gone" }, { argv: say("four", 0) }], shell),
    ).toEqual({
      isStarted: true,
      found: true,
      steps: [
        { status: 0, bridge: undefined, stdout: "out one\n", stderr: "err one\n" },
        { status: 2, bridge: undefined, stdout: "out two\n", stderr: "err two\n" },
        { status: 1, bridge: 2, stdout: "out three\n", stderr: "err three\n" },
      ],
    });
    expect(run([{ argv: say("one", 1), bridge: "there" }], shell).steps).toEqual([{ status: 1, bridge: 0, stdout: "out one\n", stderr: "err one\n" }]);
  });

  it("ends after a command without the expected word, and continues after one with it", () => {
    const [five, touch] = [["echo", "a=1 $x", "count=5"], (name: string) => ({ argv: ["touch", join(folder, name)] })];
    const statuses = (says: string, input?: string) =>
      run([{ argv: input === undefined ? five : ["cat"], word: says, ...(input !== undefined && { input }) }, touch("said")], shell).steps.map(
        ({ status }) => status,
      );
    for (const word of ["count=5", "a=1", "$x"]) expect([word, statuses(word)]).toEqual([word, [0, 0]]);
    rmSync(join(folder, "said"));
    for (const word of ["count=50", "count=", "ount=5", "*", "a?1"]) expect([word, statuses(word)]).toEqual([word, [1]]);
    expect(existsSync(join(folder, "said"))).toBe(false);
    expect([statuses("it's", "so it's\n"), run([{ argv: ["sh", "-c", "echo here; exit 3"], word: "here" }], shell).steps[0]!.status]).toEqual([[0, 0], 3]);
    rmSync(join(folder, "said"));
  });

  it("ends if ports differ in any line, and continues if they are equal", () => {
    const described = "reply (xid=0x2):\n 1(p1): addr:00\n   state: (x):\n 10(*): addr:00\n LOCAL(it's): addr:00\n";
    const status = (ports: string, input = described) =>
      run([{ argv: ["cat"], input, ports }, { argv: ["printf", "*"] }], shell).steps.map((step) => step.status);
    writeFileSync(join(folder, "10(a file):"), "");
    const { listing } = portsOf(described);
    expect(listing).toBe(" 1(p1): 10(*): LOCAL(it's):");
    expect([status(listing), status("", "reply\n")]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    for (const other of ["", " 1(p1): 10(*):", `${listing} 2(p2):`, listing.replace("p1", "p2"), listing.replace("1(", "2("), listing.replace("*", "?")])
      expect([other, status(other)]).toEqual([other, [1]]);
    expect(run([{ argv: ["sh", "-c", "exit 3"], ports: "" }], shell).steps).toMatchObject([{ status: 3 }]);
  });

  it("runs nothing of a truncated script", () => {
    const done = join(folder, "done");
    const script = scriptOf([{ argv: ["touch", done] }, { argv: ["sh", "-c", `cat > ${done}`], input: "add one\nadd two\n" }], MARK);
    const call = script.lastIndexOf("pulumi_ovn;");
    for (let length = 0; length < call; length += 7) {
      spawnSync(shell[0]!, shell.slice(1), { input: script.slice(0, length), env: environment });
      expect({ length, done: existsSync(done) }).toEqual({ length, done: false });
    }
    spawnSync(shell[0]!, shell.slice(1), { input: script, env: environment });
    expect(readFileSync(done, "utf8")).toBe("add one\nadd two\n");
    rmSync(done);
  });

  it("reports a missing ovs-ofctl", () => {
    const sh = execFileSync("sh", ["-c", `command -v ${shell[0]}`], { encoding: "utf8" }).trim();
    const { stdout } = spawnSync(sh, shell.slice(1), { input: scriptOf([{ argv: ["true"] }], MARK), encoding: "utf8", env: { PATH: "/nowhere" } });
    expect(outcomeOf(MARK, stdout, "")).toEqual({ isStarted: true, found: false, steps: [] });
  });
});

describe("output of a script", () => {
  it("is empty before the shell starts", () => expect(outcomeOf(MARK, "Welcome\n", "no route\n")).toEqual({ isStarted: false, found: true, steps: [] }));

  it("excludes earlier output of the command", () => {
    expect(outcomeOf(MARK, "Welcome to mark-1 begin\n\nmark-1 begin\nx\n\nmark-1 status 0\n", "banner\n\nmark-1 begin\nwarning\n\nmark-1 end\n").steps).toEqual(
      [{ status: 0, bridge: undefined, stdout: "x\n", stderr: "warning\n" }],
    );
  });

  it("has no result for a command that has not ended", () => {
    const { isStarted, steps } = outcomeOf(MARK, "\nmark-1 begin\none\nmark-1 status 0\nhalf", "\nmark-1 begin\n\nmark-1 end\nhalf");
    expect([isStarted, steps]).toEqual([true, [{ status: 0, bridge: undefined, stdout: "one", stderr: "" }]]);
  });

  it("is independent of what the commands print", () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", " ", "mark-", "1", "0", "status") });
    fc.assert(
      fc.property(fc.array(fc.tuple(text, text, fc.nat(255)), { maxLength: 4 }), (said) => {
        fc.pre(said.every(([out, err]) => !`${out}${err}`.includes(MARK)));
        const stdout = `\nmark-1 begin\n${said.map(([out, , status]) => `${out}\nmark-1 status ${status}\n`).join("")}`;
        const stderr = `\nmark-1 begin\n${said.map(([, err]) => `${err}\nmark-1 end\n`).join("")}`;
        expect(outcomeOf(MARK, stdout, stderr).steps).toEqual(said.map(([out, err, status]) => ({ status, bridge: undefined, stdout: out, stderr: err })));
      }),
    );
  });
});

it("quotes only words that need quotes", () => {
  expect([quote("br0"), quote("OpenFlow13,OpenFlow14"), quote("a'b"), quote("")]).toEqual(["br0", "OpenFlow13,OpenFlow14", "'a'\\''b'", "''"]);
});
