/** Input of the host's programs, and parsing of their answers. A shell script answers; the programs themselves run in test/integration/agent. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { configure, hasAddressOwners, type IpStep, type ProgramEnvironment, readFrr, runBatch, setSysctls } from "@pulumi-ovn/agent/testing";
import { quote } from "@pulumi-ovn/provider/tools";

interface Answer {
  readonly stdout?: string;
  readonly stderr?: string;
  /** Commands before the end. */
  readonly end?: string;
}

let folder: string;
let environment: ProgramEnvironment;
const file = (name: string) => join(folder, name);

/** Answers of vtysh by daemon, of other programs as `other`. The script notes its words and its input. */
function answer(answers: Readonly<Record<string, Answer>>): void {
  const cases = Object.entries(answers).map(
    ([name, { stdout = "", stderr = "", end = "exit 0" }]) => `${name}) printf %s ${quote(stdout)}; printf %s ${quote(stderr)} >&2; ${end};;`,
  );
  writeFileSync(
    file("answer"),
    [
      'name=other; [ "$2" = -d ] && name=$3',
      `printf '%s\\n' "$@" > ${folder}/$name.words; cat > ${folder}/$name.input`,
      'case "$name" in',
      ...cases,
      "esac",
    ].join("\n"),
  );
}
const words = (name = "other") =>
  readFileSync(file(`${name}.words`), "utf8")
    .trim()
    .split("\n");
const input = (name = "other") => readFileSync(file(`${name}.input`), "utf8");

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "agent-programs-"));
  environment = { command: ["sh", file("answer")], timeout: 30 };
});
afterEach(() => rmSync(folder, { recursive: true }));

describe("ip -batch", () => {
  const steps = ["route add 198.51.100.5/32 dev br-ex", "route del 198.51.100.6/32", "route add 198.51.100.7/32 dev br-ex"].map(
    (line, index): IpStep => ({ kind: "ip", family: 4, line, subject: `route ${index}` }),
  );
  const refused = (subject: string, text: string) => ({ code: "OVN_AGENT_KERNEL", subject, message: `the kernel refuses ${subject}: ${text}` });
  const outcome = (stderr: string, end?: string) => (answer({ other: { stderr, ...(end && { end }) } }), runBatch(environment, 4, steps));

  test("passes all lines to one run, which continues after a failure", async () => {
    expect(await outcome("")).toEqual([]);
    expect([words(), input()]).toEqual([["ip", "-force", "-4", "-batch", "-"], steps.map(({ line }) => `${line}\n`).join("")]);
  });

  test.each([
    "RTNETLINK answers: No such process",
    "RTNETLINK answers: No such file or directory",
    "RTNETLINK answers: Cannot assign requested address",
    'Cannot find device "br-ex"',
  ])("ignores a failed removal, and reports a failed addition: %s", async (text) => {
    expect(await outcome(`${text}\nCommand failed -:2\n`, "exit 1")).toEqual([]);
    expect(await outcome(`${text}\nCommand failed -:1\n`, "exit 1")).toEqual([refused("route 0", text.replace("RTNETLINK answers: ", ""))]);
  });

  test("reports a removal that is not permitted", async () => {
    expect(await outcome("RTNETLINK answers: Operation not permitted\nCommand failed -:2\n", "exit 1")).toEqual([
      refused("route 1", "Operation not permitted"),
    ]);
  });

  test("reports one problem for each reason", async () => {
    expect(await outcome("RTNETLINK answers: File exists\nCommand failed -:1\nRTNETLINK answers: File exists\nCommand failed -:3\n", "exit 1")).toEqual([
      refused("route 0", "File exists; 1 more failed for the same reason"),
    ]);
    expect(await outcome("RTNETLINK answers: File exists\nCommand failed -:1\nError: Invalid scope.\nCommand failed -:3\n", "exit 1")).toEqual([
      refused("route 0", "File exists"),
      refused("route 2", "Invalid scope."),
    ]);
  });

  test("reports a line that ip can't read, and a signal, for the first line", async () => {
    expect(await outcome('Error: argument "x" is wrong: table\n', "exit 255")).toEqual([refused("route 0", 'Error: argument "x" is wrong: table')]);
    expect(await outcome("", "kill -KILL $$")).toEqual([refused("route 0", "ip ended with SIGKILL")]);
  });
});

test("settings are written one by one, and failed ones are reported", async () => {
  answer({ other: { stdout: "ipv4/conf/br-ex/proxy_arp\n", stderr: "sh: 1: cannot create: Read-only file system\n" } });
  const problems = await setSysctls(
    environment,
    ["forwarding", "proxy_arp"].map((name) => ({ kind: "sysctl", path: `ipv4/conf/br-ex/${name}`, value: "1" })),
  );
  expect(problems).toEqual([
    {
      code: "OVN_AGENT_SYSCTL",
      subject: "net.ipv4.conf.br-ex.proxy_arp",
      message: "net.ipv4.conf.br-ex.proxy_arp can't be set to 1: sh: 1: cannot create: Read-only file system",
    },
  ]);
  expect(words().slice(3)).toEqual(["sh", "ipv4/conf/br-ex/forwarding", "1", "ipv4/conf/br-ex/proxy_arp", "1"]);
});

test.each([
  ["6.1.0", "[ proto ADDRPROTO ]", true],
  ["5.18.3-generic", "[ proto ADDRPROTO ]", true],
  ["5.17.0", "[ proto ADDRPROTO ]", false],
  ["4.19.0", "[ proto ADDRPROTO ]", false],
  ["6.1.0", "[ label LABEL ]", false],
])("addresses have owners only with a new kernel and a new ip(8): %s, %s", (kernelRelease, help, expected) => {
  expect(hasAddressOwners(kernelRelease, help)).toBe(expected);
});

describe("vtysh", () => {
  const down = (text: string, silent = false, daemon = "bgpd") => ({
    running: false,
    silent,
    problem: {
      code: "OVN_AGENT_FRR_DOWN",
      subject: "FRR",
      message: `FRR's ${daemon} does not answer: ${text}${daemon === "zebra" ? "; changes of the kernel's routes do not reach bgpd, which keeps its announcements" : ""}`,
    },
  });
  const HANGS: Answer = { end: "sleep 60" };

  test("reads bgpd and zebra", async () => {
    answer({ bgpd: { stdout: "FRRouting 10.3 (node1)\nrouter bgp 64513\nexit\n" } });
    const state = await readFrr({ ...environment, vtysh: "/opt/vtysh" });
    expect(state).toMatchObject({ running: true, version: 10, bgp: { asNumber: 64513 }, mark: false, imported: [] });
    expect(words("bgpd")).toEqual(["/opt/vtysh", "-d", "bgpd", "-c", "show version", "-c", "show running-config"]);
    expect(words("zebra")).toEqual(["/opt/vtysh", "-d", "zebra", "-c", "show running-config"]);
    answer({ bgpd: { stdout: "FRRouting 9.1 (node1)\nroute-map pulumi-ovn-agent permit 10\nexit\n" }, zebra: { stdout: "ip import-table 200\n" } });
    expect(await readFrr(environment)).toMatchObject({ running: true, version: 9, bgp: null, mark: true, imported: [200] });
    expect(words("zebra")).toEqual(["vtysh", "-d", "zebra", "-c", "show running-config"]);
  });

  test.each<[string, Answer, string]>([
    ["it fails", { stdout: "FRRouting 10.3\n", stderr: "failed to connect\n", end: "exit 1" }, "FRRouting 10.3; failed to connect"],
    ["it is another program", { stdout: "Quagga 1.2\n" }, "Quagga 1.2"],
    ["it prints nothing", { end: "exit 3" }, "vtysh ended with 3"],
  ])("reports why FRR does not answer: %s", async (_why, bgpd, text) => {
    answer({ bgpd });
    expect(await readFrr(environment)).toEqual(down(text));
  });

  test("reports a program that can't be run; a named one must exist", async () => {
    const missing = { ...environment, command: [file("missing")] };
    expect(await readFrr(missing)).toEqual(down("vtysh can't be run: ENOENT"));
    expect(await readFrr({ ...missing, vtysh: "/opt/vtysh" })).toEqual(down("/opt/vtysh can't be run: ENOENT", true));
  });

  test("reports a daemon that hangs, after 5 seconds or the shorter timeout", async () => {
    answer({ bgpd: HANGS });
    expect(await readFrr(environment)).toEqual(down("vtysh did not end within 5 s", true));
    const impatient = { ...environment, timeout: 2 };
    answer({ bgpd: { stdout: "FRRouting 9.1 (node1)\n" }, zebra: HANGS });
    expect(await readFrr(impatient)).toEqual(down("vtysh did not end within 2 s", true, "zebra"));
    answer({ bgpd: { stdout: "FRRouting 10.3 (node1)\n" }, zebra: HANGS });
    expect(await readFrr(impatient)).toMatchObject({ running: true, zebra: down("vtysh did not end within 2 s", true, "zebra").problem });
  });

  test("needs no zebra before version 10 that answers", async () => {
    answer({ bgpd: { stdout: "FRRouting 9.1 (node1)\n" }, zebra: { end: "exit 1" } });
    expect(await readFrr(environment)).toMatchObject({ running: true, imported: [] });
  });

  test("ends with the reason of the signal", async () => {
    answer({ bgpd: HANGS, zebra: HANGS });
    await expect(readFrr({ ...environment, signal: AbortSignal.abort(new Error("aborted")) })).rejects.toThrow("aborted");
  });

  test("configures a daemon, and reports a refused line", async () => {
    const step = { kind: "frr", daemon: "bgpd", lines: ["router bgp 64513", "bgp router-id 192.0.2.1"] } as const;
    answer({});
    expect(await configure(environment, step)).toBeUndefined();
    expect(words("bgpd")).toEqual(["vtysh", "-d", "bgpd", "-c", "configure terminal", "-c", "router bgp 64513", "-c", "bgp router-id 192.0.2.1"]);
    answer({ bgpd: { stdout: "% Unknown command\n", end: "exit 1" } });
    expect(await configure(environment, step)).toEqual({
      code: "OVN_AGENT_FRR_REFUSED",
      subject: "FRR",
      message: 'bgpd refuses "bgp router-id 192.0.2.1": % Unknown command',
    });
  });

  test.each(["\n", "\r", "\0"])("is not started with a line that contains %j", async (end) => {
    answer({});
    const problem = await configure(environment, { kind: "frr", daemon: "bgpd", lines: [`bgp router-id 192.0.2.1${end}no router bgp`] });
    expect(problem?.message).toContain("is more than one line");
    expect(existsSync(file("bgpd.words"))).toBe(false);
  });
});
