import { execFileSync, spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { answersIn, healthIn, healthQuestion, originsIn, routesIn, scriptOf } from "@pulumi-ovn/cli/testing";
import { shellOnHost } from "@pulumi-ovn/provider/tools";

const said = (stdout: string, status = 0, stderr = "") => ({ status, stdout, stderr });

describe("routes of a table", () => {
  it("are prefixes with their lengths, for every type of route", () => {
    const four =
      '[{"type":"blackhole","dst":"198.51.100.5","protocol":"84","flags":[]},{"dst":"10.1.0.0/24","gateway":"198.51.100.2","dev":"br-ex","protocol":"87","flags":[]},{"dst":"default","dev":"br-ex","protocol":"87"}]';
    expect(routesIn(said(four), 4)).toEqual(["198.51.100.5/32", "10.1.0.0/24", "0.0.0.0/0"]);
    expect(routesIn(said('[{"dst":"2001:db8:5::5","dev":"br-ex","protocol":"87"},{"dst":"default","dev":"x"}]'), 6)).toEqual(["2001:db8:5::5/128", "::/0"]);
  });

  it("do not include those that bgpd has learned", () => {
    expect(routesIn(said('[{"dst":"10.9.0.0/24","protocol":"186"},{"dst":"10.8.0.0/24","protocol":"87"}]'), 4)).toEqual(["10.8.0.0/24"]);
  });

  it.each([[said("", 0)], [said("[ ]", 0)], [said("[", 2, "Error: ipv4: FIB table does not exist.\nDump terminated\n")]])(
    "are empty for an empty or missing table: %j",
    (answer) => {
      expect(routesIn(answer, 4)).toEqual([]);
    },
  );

  it.each([
    [said("", 127, "sh: 3: ip: not found\n"), "ip ended with 127: sh: 3: ip: not found"],
    [said("", 1), "ip ended with 1"],
    [said("nonsense"), "ip: its answer is not what ip(8) prints"],
  ])("are an error of %j", (answer, message) => {
    expect(routesIn(answer, 4)).toEqual(new Error(message));
  });
});

describe("FRR's own prefixes", () => {
  const other = (prefix: string) => ({ prefix, byAgent: false });

  it("have the tag of the agent's redistribution", () => {
    // As FRR 10.3 does, shortened.
    const path = (more: object) => ({ prefix: "", paths: [{ weight: 32768, sourced: true, ...more }] });
    const routes = {
      "198.51.100.5/32": path({ tag: 87, peer: { peerId: "0.0.0.0" } }),
      "2001:db8::5/128": path({ tag: 87, peer: { peerId: "::" } }),
      "172.18.0.0/24": path({ peer: { peerId: "0.0.0.0" } }),
      "203.0.113.0/24": path({ tag: 87, peer: { peerId: "10.0.0.9" } }),
    };
    expect(originsIn(said(JSON.stringify({ routes })))).toEqual([
      { prefix: "198.51.100.5/32", byAgent: true },
      { prefix: "2001:db8::5/128", byAgent: true },
      other("172.18.0.0/24"),
    ]);
  });

  it("are the prefixes of its answer; none without BGP", () => {
    expect(originsIn(said('{"vrfId":0,"routes":{"198.51.100.5/32":[{"valid":true}],"10.1.0.0/24":[{}]}}'))).toEqual([
      other("198.51.100.5/32"),
      other("10.1.0.0/24"),
    ]);
    expect(originsIn(said('{"warning":"Default BGP instance not found"}'))).toEqual([]);
  });

  it("exclude learned prefixes before version 9, where FRR prints all", () => {
    // As FRR 8.4.4 does, shortened.
    const own = '{"valid":true,"bestpath":true,"weight":32768,"peerId":"(unspec)","path":"","nexthops":[{"ip":"0.0.0.0","used":true}]}';
    const learned = '{"valid":true,"bestpath":true,"weight":0,"peerId":"10.0.0.9","path":"65000","nexthops":[{"ip":"10.0.0.9","used":true}]}';
    const all = `{\n "vrfId": 0,\n "routes": { "198.51.100.5/32": [${own}]\n,"198.51.100.6/32": [${learned},${own}]\n,"203.0.113.0/24": [${learned}]\n }  } \n`;
    expect(originsIn(said(`% Unknown command: show bgp ipv4 unicast self-originate json\n${all}`))).toEqual([
      other("198.51.100.5/32"),
      other("198.51.100.6/32"),
    ]);
  });

  it.each([
    [
      said("% Unknown command: show bgp ipv4 unicast self-originate json\n", 1),
      "vtysh ended with 1: % Unknown command: show bgp ipv4 unicast self-originate json",
    ],
    [said("% BGP instance not found"), "vtysh: its answer is not what FRR prints"],
  ])("is an error of %j", (answer, message) => {
    expect(originsIn(answer)).toEqual(new Error(message));
  });
});

describe("an agent's health", () => {
  const body = {
    healthy: false,
    chassis: "h1",
    problems: [{ code: "OVN_AGENT_OVERLAP", subject: "a", message: "b" }],
    connections: {},
    announced: ["10.1.0.0/24"],
  };

  it("is read by the same command, also if it is bad", async () => {
    const server = createServer((request, response) =>
      response.writeHead(503, { "content-type": "application/json" }).end(JSON.stringify({ ...body, path: request.url }, null, 2)),
    ).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const ended = await shellOnHost({ host: {} }, scriptOf([healthQuestion({ host: "127.0.0.1", port })], "M"));
    server.close();
    const [answer] = answersIn("M", ended.stdout, ended.stderr)!;
    expect(healthIn(answer!, "x")).toEqual({ healthy: false, chassis: "h1", problems: body.problems, announced: ["10.1.0.0/24"] });
    expect(answer!.stdout).toContain('"path": "/healthz"');
  });

  it("is an error if no agent or another program listens", async () => {
    const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const ask = async () =>
      answersIn(
        "M",
        ...(await shellOnHost({ host: {} }, scriptOf([healthQuestion({ host: "127.0.0.1", port })], "M")).then(
          ({ stdout, stderr }) => [stdout, stderr] as const,
        )),
      )![0]!;
    expect(healthIn(await ask(), `127.0.0.1:${port}`)).toEqual(new Error(`what answers at 127.0.0.1:${port} is not an agent of this release`));
    server.close();
    server.closeAllConnections();
    expect(healthIn(await ask(), `127.0.0.1:${port}`)).toMatchObject({
      message: expect.stringMatching(`^no agent answers at 127\\.0\\.0\\.1:${port}: .*Connection refused$`),
    });
  });
});

describe("the script of questions", () => {
  const run = (questions: readonly (readonly string[])[]) => {
    const { stdout, stderr } = spawnSync("sh", { input: scriptOf(questions, "M"), encoding: "utf8" });
    return answersIn("M", stdout, stderr);
  };

  it("continues after each failure, and passes words unchanged", () => {
    expect(
      run([
        ["printf", "a\nb"],
        ["sh", "-c", "echo no >&2; exit 3"],
        ["printf", "%s", "it's $HOME"],
      ]),
    ).toEqual([
      { status: 0, stdout: "a\nb", stderr: "" },
      { status: 3, stdout: "", stderr: "no\n" },
      { status: 0, stdout: "it's $HOME", stderr: "" },
    ]);
  });

  it("is not read by a program that it starts", () => {
    // Longer than the part of a script that a shell reads in one call.
    const after = Array.from({ length: 200 }, () => ["echo", "x".repeat(1_000)]);
    expect(run([["cat"], ...after])!.map(({ stdout }) => stdout.length)).toEqual([0, ...after.map(() => 1_001)]);
  });

  it("excludes a banner's text, and detects a shell that did not start, or did not end", () => {
    const output = execFileSync("sh", {
      input: scriptOf(
        [
          ["echo", "1"],
          ["echo", "2"],
        ],
        "M",
      ),
      encoding: "utf8",
      stdio: ["pipe", "pipe", "ignore"],
    });
    expect(answersIn("M", `Welcome\n${output}`, "motd\n")!.map(({ stdout }) => stdout)).toEqual(["1\n", "2\n"]);
    expect(answersIn("M", "Permission denied", "")).toBeUndefined();
    expect(answersIn("M", output.slice(0, output.indexOf("2")), "")).toHaveLength(1);
  });
});
