/** Input of the host's programs, and parsing of their answers; the programs themselves run in test/integration/agent. */
import { configure, hasAddressOwners, type IpStep, type ProgramEnvironment, ProgramError, readFrr, runBatch, setSysctls } from "@pulumi-ovn/agent/testing";

type Answer = { status?: number | string; stdout?: string; stderr?: string } | Error;
let mockAnswers: Answer[] = [];
let mockAsked: { environment: ProgramEnvironment; argv: readonly string[]; input: string }[] = [];
jest.mock("../../../../agent/host/program", () => ({
  ...jest.requireActual<object>("../../../../agent/host/program"),
  run: async (environment: ProgramEnvironment, argv: readonly string[], input = "") => {
    mockAsked.push({ environment, argv, input });
    const answer = mockAnswers.shift() ?? {};
    if (answer instanceof Error) throw answer;
    return { status: 0, stdout: "", stderr: "", ...answer };
  },
}));
let mockRelease = "6.1.0";
jest.mock("node:os", () => ({ ...jest.requireActual<object>("node:os"), release: () => mockRelease }));

const PLACE: ProgramEnvironment = { command: [], timeout: 30 };
beforeEach(() => {
  [mockAnswers, mockAsked] = [[], []];
});

describe("ip -batch", () => {
  const steps = ["route add 198.51.100.5/32 dev br-ex", "route del 198.51.100.6/32", "route add 198.51.100.7/32 dev br-ex"].map(
    (line, index): IpStep => ({ kind: "ip", family: 4, line, subject: `route ${index}` }),
  );
  const refused = (subject: string, words: string) => ({ code: "OVN_AGENT_KERNEL", subject, message: `the kernel refuses ${subject}: ${words}` });
  const outcome = (answer: Answer) => ((mockAnswers = [answer]), runBatch(PLACE, 4, steps));

  test("one run for all lines, which goes on after a failure", async () => {
    expect(await outcome({})).toEqual([]);
    expect(mockAsked).toEqual([{ environment: PLACE, argv: ["ip", "-force", "-4", "-batch", "-"], input: steps.map(({ line }) => `${line}\n`).join("") }]);
  });

  test("a removal of what was deleted is invalid, whatever the kernel calls it; what can't be made is a problem in the same words", async () => {
    for (const words of [
      "RTNETLINK answers: No such process",
      "RTNETLINK answers: No such file or directory",
      "RTNETLINK answers: Cannot assign requested address",
      'Cannot find device "br-ex"',
    ]) {
      expect([words, await outcome({ status: 1, stderr: `${words}\nCommand failed -:2\n` })]).toEqual([words, []]);
      expect(await outcome({ status: 1, stderr: `${words}\nCommand failed -:1\n` })).toEqual([refused("route 0", words.replace("RTNETLINK answers: ", ""))]);
    }
    expect(await outcome({ status: 1, stderr: "RTNETLINK answers: Operation not permitted\nCommand failed -:2\n" })).toEqual([
      refused("route 1", "Operation not permitted"),
    ]);
  });

  test("one problem for all that failed for one reason; one for each reason", async () => {
    expect(
      await outcome({ status: 1, stderr: "RTNETLINK answers: File exists\nCommand failed -:1\nRTNETLINK answers: File exists\nCommand failed -:3\n" }),
    ).toEqual([refused("route 0", "File exists; as for 1 more")]);
    expect(await outcome({ status: 1, stderr: "RTNETLINK answers: File exists\nCommand failed -:1\nError: Invalid scope.\nCommand failed -:3\n" })).toEqual([
      refused("route 0", "File exists"),
      refused("route 2", "Invalid scope."),
    ]);
  });

  test("a line that ip can't read, or a signal, ends it without the number of a line", async () => {
    expect(await outcome({ status: 255, stderr: 'Error: argument "x" is wrong: table\n' })).toEqual([
      refused("route 0", 'Error: argument "x" is wrong: table'),
    ]);
    expect(await outcome({ status: "SIGKILL" })).toEqual([refused("route 0", "ip ended with SIGKILL")]);
  });
});

test("settings are set each by itself; those that could not be are named", async () => {
  mockAnswers = [{ stdout: "ipv4/conf/br-ex/proxy_arp\n", stderr: "sh: 1: cannot create: Read-only file system\n" }];
  const problems = await setSysctls(
    PLACE,
    ["forwarding", "proxy_arp"].map((name) => ({ kind: "sysctl", path: `ipv4/conf/br-ex/${name}`, value: "1" })),
  );
  expect(problems).toEqual([
    {
      code: "OVN_AGENT_SYSCTL",
      subject: "net.ipv4.conf.br-ex.proxy_arp",
      message: "net.ipv4.conf.br-ex.proxy_arp can't be set to 1: sh: 1: cannot create: Read-only file system",
    },
  ]);
  expect(mockAsked[0]!.argv.slice(3)).toEqual(["sh", "ipv4/conf/br-ex/forwarding", "1", "ipv4/conf/br-ex/proxy_arp", "1"]);
});

test("addresses have owners where kernel and ip(8) both know them", async () => {
  for (const [release, help, known] of [
    ["6.1.0", "[ proto ADDRPROTO ]", true],
    ["5.18.3-generic", "[ proto ADDRPROTO ]", true],
    ["5.17.0", "[ proto ADDRPROTO ]", false],
    ["4.19.0", "[ proto ADDRPROTO ]", false],
    ["6.1.0", "[ label LABEL ]", false],
  ] as const) {
    mockRelease = release;
    mockAnswers = [{ status: 255, stderr: help }];
    expect([release, help, await hasAddressOwners(PLACE)]).toEqual([release, help, known]);
  }
});

describe("vtysh", () => {
  const down = (words: string, silent = false, daemon = "bgpd") => ({
    running: false,
    silent,
    problem: {
      code: "OVN_AGENT_FRR_DOWN",
      subject: "FRR",
      message: `FRR's ${daemon} does not answer: ${words}${daemon === "zebra" ? "; what changes in the kernel does not reach bgpd, which announces what it knew" : ""}`,
    },
  });

  test("reads bgpd and zebra, with little patience", async () => {
    mockAnswers = [{ stdout: "FRRouting 10.3 (node1)\nrouter bgp 64513\nexit\n" }];
    expect(await readFrr({ ...PLACE, vtysh: "/opt/vtysh" })).toMatchObject({ running: true, version: 10, bgp: { asNumber: 64513 }, mark: false, imported: [] });
    expect(mockAsked).toEqual([
      {
        environment: { ...PLACE, vtysh: "/opt/vtysh", timeout: 5 },
        argv: ["/opt/vtysh", "-d", "bgpd", "-c", "show version", "-c", "show running-config"],
        input: "",
      },
      { environment: { ...PLACE, vtysh: "/opt/vtysh", timeout: 5 }, argv: ["/opt/vtysh", "-d", "zebra", "-c", "show running-config"], input: "" },
    ]);
    mockAnswers = [{ stdout: "FRRouting 9.1 (node1)\nroute-map pulumi-ovn-agent permit 10\nexit\n" }, { stdout: "ip import-table 200\n" }];
    expect(await readFrr(PLACE)).toMatchObject({ running: true, version: 9, bgp: null, mark: true, imported: [200] });
    expect(mockAsked[3]!.argv).toEqual(["vtysh", "-d", "zebra", "-c", "show running-config"]);
  });

  test("reports why FRR does not answer: it fails, it is invalid, or it can't be run", async () => {
    mockAnswers = [{ status: 1, stdout: "FRRouting 10.3\n", stderr: "failed to connect\n" }];
    expect(await readFrr(PLACE)).toEqual(down("FRRouting 10.3; failed to connect"));
    mockAnswers = [{ stdout: "Quagga 1.2\n" }];
    expect(await readFrr(PLACE)).toEqual(down("Quagga 1.2"));
    mockAnswers = [{ status: 3 }];
    expect(await readFrr(PLACE)).toEqual(down("vtysh ended with 3"));
    mockAnswers = [new ProgramError("vtysh can't be run: ENOENT")];
    expect(await readFrr(PLACE)).toEqual(down("vtysh can't be run: ENOENT"));
    // One that was named should be there.
    mockAnswers = [new ProgramError("/opt/vtysh can't be run: ENOENT")];
    expect(await readFrr({ ...PLACE, vtysh: "/opt/vtysh" })).toEqual(down("/opt/vtysh can't be run: ENOENT", true));
    mockAnswers = [new ProgramError("vtysh did not end within 5 s", true)];
    expect(await readFrr(PLACE)).toEqual(down("vtysh did not end within 5 s", true));
    mockAnswers = [{ stdout: "FRRouting 9.1 (node1)\n" }, new ProgramError("vtysh did not end within 5 s", true)];
    expect(await readFrr(PLACE)).toEqual(down("vtysh did not end within 5 s", true, "zebra"));
    mockAnswers = [{ stdout: "FRRouting 9.1 (node1)\n" }, { status: 1 }];
    expect(await readFrr(PLACE)).toMatchObject({ running: true, imported: [] });
    mockAnswers = [{ stdout: "FRRouting 10.3 (node1)\n" }, new ProgramError("vtysh did not end within 5 s", true)];
    expect(await readFrr(PLACE)).toMatchObject({ running: true, zebra: down("vtysh did not end within 5 s", true, "zebra").problem });
    mockAnswers = [new Error("aborted")];
    await expect(readFrr(PLACE)).rejects.toThrow("aborted");
  });

  test("configures a daemon; nothing that is more than one line gets there", async () => {
    const step = { kind: "frr", daemon: "bgpd", lines: ["router bgp 64513", "bgp router-id 192.0.2.1"] } as const;
    expect(await configure(PLACE, step)).toBeUndefined();
    expect(mockAsked[0]).toEqual({
      environment: PLACE,
      argv: ["vtysh", "-d", "bgpd", "-c", "configure terminal", "-c", "router bgp 64513", "-c", "bgp router-id 192.0.2.1"],
      input: "",
    });
    mockAnswers = [{ status: 1, stdout: "% Unknown command\n" }];
    expect(await configure(PLACE, step)).toEqual({
      code: "OVN_AGENT_FRR_REFUSED",
      subject: "FRR",
      message: 'bgpd refuses "bgp router-id 192.0.2.1": % Unknown command',
    });
    for (const end of ["\n", "\r", "\0"]) {
      mockAsked = [];
      expect((await configure(PLACE, { ...step, lines: [`bgp router-id 192.0.2.1${end}no router bgp`] }))?.message).toContain("is more than one line");
      expect(mockAsked).toEqual([]);
    }
  });
});
