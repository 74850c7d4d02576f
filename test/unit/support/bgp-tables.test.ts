import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bySocketAt, prefixesIn, tablesIn } from "../../support/bgp-tables";

/** As FRR 10.3 prints a table. */
const table = (routes: object) => `{\n "vrfId": 0,\n "vrfName": "default",\n "tableVersion": 3,\n "routes": ${JSON.stringify(routes)} } \n`;
const path = (peerId: string) => [{ valid: true, peerId, nexthops: [{ ip: "100.64.1.5", used: true }] }];

test("both families' tables are read from bgpd's successive outputs", () => {
  const text = table({ "198.51.100.5/32": path("100.64.1.5") }) + table({ "2001:db8::/64": path("fd64::5"), "::/0": path("fd64::3") });
  expect(tablesIn(text)).toEqual([{ "198.51.100.5/32": path("100.64.1.5") }, { "2001:db8::/64": path("fd64::5"), "::/0": path("fd64::3") }]);
  expect(prefixesIn(text)).toEqual(["198.51.100.5/32", "2001:db8::/64", "::/0"]);
});

test("an empty output is an empty table, and a missing one is an error", () => {
  expect(prefixesIn(table({}) + "{}\n")).toEqual([]);
  for (const text of ["", table({}), `${table({})}% Unknown command\n`]) expect(() => tablesIn(text)).toThrow("not the tables of two families");
});

describe("by its socket bgpd", () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "bgpd-"))));
  afterEach(() => rmSync(folder, { recursive: true }));

  /** Output of the shell command, in pieces, with these answers of bgpd. */
  async function asked(answers: Readonly<Record<string, readonly string[]>>, ...commands: string[]) {
    const path = join(folder, "vty");
    const commandsRead: string[] = [];
    const server = createServer((socket) =>
      socket.on("data", (data) => {
        commandsRead.push(String(data));
        const pieces = answers[String(data).slice(0, -1)];
        if (pieces === undefined) socket.destroy();
        else pieces.forEach((piece, index) => setTimeout(() => socket.write(piece, "latin1"), 20 * index));
      }),
    ).listen(path);
    await once(server, "listening");
    const ran = await new Promise<object>((resolve) =>
      execFile("sh", ["-c", bySocketAt(path)(...commands)], (error, stdout, stderr) => resolve({ failed: error !== null, stdout, stderr })),
    );
    server.close();
    return { ...ran, commandsRead };
  }
  const ENABLED = { enable: ["\0\0\0\0"] };

  test("answers one command after the other, also in pieces", async () => {
    const answers = { ...ENABLED, "show a": ["first\n\0\0", "\0\0"], "show b": ["sec", "ond\n", "\0\0\0", "\0"] };
    expect(await asked(answers, "show a", "show b")).toEqual({
      failed: false,
      stdout: "first\nsecond\n",
      stderr: "",
      commandsRead: ["enable\0", "show a\0", "show b\0"],
    });
  });

  test("reports a refused command and a closed connection, and so does the shell's", async () => {
    expect(await asked({ ...ENABLED, "show a": ["no such\0\0\0\x02"] }, "show a", "show b")).toMatchObject({
      failed: true,
      stdout: "",
      stderr: "show a: no such\n",
    });
    expect(await asked(ENABLED, "show a")).toMatchObject({ failed: true, stdout: "", stderr: "bgpd has ended\n" });
  });
});
