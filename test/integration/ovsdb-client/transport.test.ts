import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inspect, promisify } from "node:util";
import { connect, describeEndpoint, type ClientOptions, type OvsdbClient } from "@pulumi-ovn/ovsdb-client";
import { failure } from "../../support/failure";
import { freePort, standalone } from "../../support/ovsdb-server";
import { Authority, type Identity } from "../../support/ovsdb-tls";

let server: Awaited<ReturnType<typeof standalone>>;
let tcp: number;
let ssl: number;
let authority: Authority;
let stranger: Authority;
let clientIdentity: Identity;
let strangerIdentity: Identity;
let relay: string;

/** Copies standard input to a unix socket, and the socket to standard output. */
const RELAY = `
const [, , path = process.env.RELAY_TO, last] = process.argv;
if (last) { console.error("first line\\n" + last); process.exit(3); }
const socket = require("node:net").connect(path);
process.stdin.pipe(socket).pipe(process.stdout);
socket.on("error", (error) => { console.error(error.message); process.exit(1); });
`;

beforeAll(async () => {
  [tcp, ssl] = [await freePort(), await freePort()];
  server = await standalone({
    remotes: async (folder) => {
      authority = await Authority.create(folder, "authority");
      stranger = await Authority.create(folder, "stranger");
      const identity = await authority.issue("ovsdb.example");
      clientIdentity = await authority.issue("client.example");
      strangerIdentity = await stranger.issue("stranger.example");
      relay = join(folder, "relay.cjs");
      await writeFile(relay, RELAY);
      const files = [`--private-key=${identity.privateKey}`, `--certificate=${identity.certificate}`, `--ca-cert=${authority.certificate}`];
      return [`--remote=ptcp:${tcp}:127.0.0.1`, `--remote=pssl:${ssl}:127.0.0.1`, ...files];
    },
  });
});
afterAll(() => server.remove());

async function use(endpoint: string, options: Partial<ClientOptions> = {}): Promise<string[]> {
  await using client: OvsdbClient = await connect(endpoint, { database: "Test", ...options });
  expect(client.endpoint).toBe(describeEndpoint(endpoint));
  return await client.listDatabases();
}
const exec = (...args: string[]) => `exec:${process.execPath} ${[relay, ...args].join(" ")}`;

test("tcp", async () => {
  expect(await use(`tcp:127.0.0.1:${tcp}`)).toEqual(["Test", "_Server"]);
});

test("tcp to a port of TLS names the other scheme", async () => {
  await expect(use(`tcp:127.0.0.1:${ssl}`)).rejects.toThrow(
    `tcp:127.0.0.1:${ssl}: the connection was closed: the server gave no answer; if the port expects TLS, use ssl: instead of tcp:`,
  );
});

test("the address of a server with a host name; sockets of files and programs have none", async () => {
  const peerAt = async (endpoint: string, options: Partial<ClientOptions> = {}) => {
    await using client = await connect(endpoint, { database: "Test", ...options });
    return client.peer;
  };
  const tls = { ...clientIdentity, ca: authority.certificate, serverName: "ovsdb.example" };
  expect(
    await Promise.all([
      peerAt(`tcp:localhost:${tcp}`),
      peerAt(`ssl:localhost:${ssl}`, { tls }),
      peerAt(server.endpoint),
      peerAt(exec(server.endpoint.slice("unix:".length))),
    ]),
  ).toEqual(["127.0.0.1", "127.0.0.1", undefined, undefined]);
});

test("tcp: refused", async () => {
  const endpoint = `tcp:127.0.0.1:${await freePort()}`;
  expect(await failure(use(endpoint))).toMatchObject({ code: "OVSDB_CONNECTION", endpoint, message: `${endpoint}: connect ECONNREFUSED` });
});

describe("ssl", () => {
  const endpoint = () => `ssl:127.0.0.1:${ssl}`;
  const tls = () => ({ ...clientIdentity, ca: authority.certificate, serverName: "ovsdb.example" });

  test("accepts certificates of one authority on both sides", async () => {
    expect(await use(endpoint(), { tls: tls() })).toEqual(["Test", "_Server"]);
  });

  test("reads a large reply completely", async () => {
    await using client = await connect(endpoint(), { database: "Test", tls: tls() });
    const text = "é".repeat(500_000);
    expect(await client.echo([text])).toEqual([text]);
  });

  test("refuses a certificate for another name", async () => {
    const error = await failure(use(endpoint(), { tls: { ...tls(), serverName: "other.example" } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toContain("Hostname/IP does not match certificate's altnames: Host: other.example.");
  });

  test("requires the address in the certificate without a given name", async () => {
    const { serverName: _, ...rest } = tls();
    expect((await failure(use(endpoint(), { tls: rest }))).message).toContain("IP: 127.0.0.1 is not in the cert's list");
  });

  test("can omit the check of the name, but not of the authority", async () => {
    const { serverName: _, ...rest } = tls();
    expect(await use(endpoint(), { tls: { ...rest, checkServerName: false } })).toEqual(["Test", "_Server"]);
    const error = await failure(use(endpoint(), { tls: { ...rest, ca: stranger.certificate, checkServerName: false } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/self-signed certificate in certificate chain|unable to verify the first certificate|unable to get local issuer certificate/);
  });

  test("reports a missing client certificate", async () => {
    const error = await failure(use(endpoint(), { tls: { ca: authority.certificate, serverName: "ovsdb.example" } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/certificate required|handshake failure|the connection was closed/);
  });

  test("reports a client certificate of another authority", async () => {
    const error = await failure(use(endpoint(), { tls: { ...tls(), ...strangerIdentity } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/unknown ca|decrypt error|the connection was closed/);
  });

  test("names a missing file", async () => {
    const error = await failure(use(endpoint(), { tls: { ...tls(), ca: "/nonexistent/ca.pem" } }));
    expect(error.message).toBe(
      `${endpoint()}: the TLS CA certificate /nonexistent/ca.pem can't be read: ENOENT: no such file or directory, open '/nonexistent/ca.pem'`,
    );
  });

  test("reports a server without TLS", async () => {
    expect((await failure(use(`ssl:127.0.0.1:${tcp}`, { tls: tls(), connectTimeout: 1000 }))).code).toBe("OVSDB_CONNECTION");
  });
});

describe("exec", () => {
  test("uses a program's standard input and output", async () => {
    expect(await use(exec(server.socket))).toEqual(["Test", "_Server"]);
  });

  test("reads a long reply through a pipe", async () => {
    await using client = await connect(exec(server.socket), { database: "Test" });
    const text = "x".repeat(3_000_000);
    expect(await client.echo([text])).toEqual([text]);
  });

  test("reports the last output, and how the program ended", async () => {
    const command = exec("/x", "kex_exchange_identification");
    const error = await failure(use(command));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toBe(
      `exec:${process.execPath} ...: the connection was closed: the program ended with status 3: first line; kex_exchange_identification`,
    );
  });

  test("reports a missing program", async () => {
    const error = await failure(use("exec:/nonexistent/program"));
    expect(error.message).toMatch(/ended with status 12[67]: .*\/nonexistent\/program.*not found/s);
  });

  test("ends a program that never answers", async () => {
    const error = await failure(use("exec:sleep 1000", { connectTimeout: 100 }));
    expect([error.code, error.message]).toEqual(["OVSDB_CONNECTION", "exec:sleep ...: no answer within 100 ms"]);
  });

  test("kills a program that does not end", async () => {
    const stubborn = join(server.folder, "stubborn.cjs");
    await writeFile(stubborn, `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdin.on("error", () => {}).resume();`);
    const error = await failure(use(`exec:${process.execPath} ${stubborn}`, { connectTimeout: 300 }));
    expect(error.message).toContain("no answer within 300 ms");
  });
});

describe("exec: features of a shell", () => {
  const nodes = (...args: string[]) => `${process.execPath} ${[relay, ...args].join(" ")}`;

  test.each<[string, (socket: string) => string]>([
    ["variables before the program", (socket) => `X='a b' RELAY_TO=${socket} ${nodes()}`],
    ["a variable that the shell computes", (socket) => `RELAY_TO="$(echo ${socket})" ${nodes()}`],
    ["several commands", (socket) => `true; ${nodes(socket)}`],
    ["several commands on lines of their own", (socket) => `cd /\n${nodes(socket)}`],
    ["a condition", (socket) => `test -S ${socket} && ${nodes(socket)}`],
    ["a pipe", (socket) => `cat | ${nodes(socket)} | cat`],
    ["a redirection", (socket) => `${nodes(socket)} 2>/dev/null`],
    ["a built-in", (socket) => `command ${nodes(socket)}`],
    ["exec", (socket) => `exec ${nodes(socket)}`],
    ["operators within quotes", (socket) => `${nodes(socket, '""')} 'a; b | c' "(d)"`],
  ])("%s", async (_name, command) => {
    expect(await use(`exec:${command(server.socket)}`)).toEqual(["Test", "_Server"]);
  });

  test.each([
    ["a program", ""],
    ["several programs", "true; "],
    ["a pipe", "cat | "],
  ])("%s: all are gone when the client is closed", async (_name, before) => {
    const mark = `mark-${randomUUID()}`;
    const client = await connect(`exec:${before}${nodes(server.socket, '""', mark)}`, { database: "Test" });
    expect(await running(mark)).not.toEqual([]);
    await client.close();
    expect(await running(mark)).toEqual([]);
  });

  test("processes that a shell leaves behind are ended", async () => {
    const mark = `mark-${randomUUID()}`;
    const error = await failure(use(`exec:sh -c "sleep 1000; true" ${mark} & exit 7`));
    expect(error.message).toBe("exec:sh ...: the connection was closed: the program ended with status 7");
    expect(await running(mark)).toEqual([]);
  });

  test.each([
    ["shown by the program", "TOKEN=s3cret0 sh SCRIPT --password='s3cret1'"],
    ["shown by the program, which does not replace the shell", "true; TOKEN='s3cret0' sh SCRIPT --password=s3cret1"],
    ["repeated by a shell that can't read it", "bash -c 'echo s3cret0 (s3cret1'"],
    ["repeated by a shell, among lines", "true\nbash -c 'echo s3cret0 (s3cret1'"],
    ["of a program that does not exist", "/nonexistent/program s3cret0 --token=s3cret1"],
  ])("a secret of the command is in no part of the error: %s", async (_name, command) => {
    const script = join(server.folder, "loud.sh");
    await writeFile(script, 'echo "called with $TOKEN: $*" >&2; exit 4');
    const error = await failure(use(`exec:${command.replace("SCRIPT", script)}`));
    expect(error.message).toMatch(/^exec:.*: the program ended with status [1-9]/);
    expect(inspect(error, { depth: 9, showHidden: true })).not.toContain("s3cret");
  });

  test("a program's output can't imitate other text", async () => {
    const error = await failure(use(`exec:printf '\\033[31mred\\r\\nOVSDB_X: forged\\n\\n' >&2; exit 1`));
    expect(error.message).toBe("exec:printf ...: the connection was closed: the program ended with status 1: \\u001b[31mred; OVSDB_X: forged");
  });
});

/** Processes with this word in their command line. */
async function running(word: string): Promise<string[]> {
  const found: string[] = [];
  for (const id of await readdir("/proc")) {
    const line = /^\d+$/.test(id) ? await readFile(`/proc/${id}/cmdline`, "utf8").catch(() => "") : "";
    if (line.includes(word)) found.push(line);
  }
  return found;
}

describe("nothing keeps the process alive", () => {
  const run = async (body: string) => {
    const file = join(server.folder, `program-${Math.random()}.mjs`);
    await writeFile(file, `import { connect } from ${JSON.stringify(join(__dirname, "../../../ovsdb-client/dist/index.js"))};\n${body}`);
    return (await promisify(execFile)(process.execPath, [file], { timeout: 30_000 })).stdout;
  };

  test.each([
    ["unix", () => `"${server.endpoint}"`, ""],
    ["tcp", () => `"tcp:127.0.0.1:${tcp}"`, ""],
    ["ssl", () => `"ssl:127.0.0.1:${ssl}"`, () => `, tls: ${JSON.stringify({ ...clientIdentity, ca: authority.certificate, serverName: "ovsdb.example" })}`],
    ["exec", () => JSON.stringify(exec(server.socket)), ""],
  ])("%s: after close the program ends by itself", async (_kind, endpoint, more) => {
    const options = `{ database: "Test"${typeof more === "string" ? more : more()} }`;
    // Node keeps a pipe of its own open after the first socket: what counts is that nothing is added.
    const program = `
      const left = [];
      for (let turn = 0; turn < 3; turn++) {
        const client = await connect(${endpoint()}, ${options});
        await client.monitor({ Types: {} });
        await client.lock("x");
        client.echo().catch(() => {});
        await client.close();
        left.push(process.getActiveResourcesInfo().join());
      }
      console.log(left[0] === left[1] && left[1] === left[2] ? "nothing more" : left);`;
    expect(await run(program)).toBe("nothing more\n");
  });

  test.each([
    ["unix", () => `"${server.endpoint}"`],
    ["exec", () => JSON.stringify(exec(server.socket))],
  ])("%s with unref: an idle client lets the program end, an open call does not", async (_kind, endpoint) => {
    const program = `const client = await connect(${endpoint()}, { database: "Test", unref: true }); const wait = { op: "wait", timeout: 100, table: "Parent", where: [["name", "==", "never"]], columns: ["name"], until: "==", rows: [{ name: "never" }] }; await client.transact([wait]).catch((error) => console.log(error.error));`;
    expect(await run(program)).toBe("timed out\n");
  });

  test("a refused connection leaves nothing", async () => {
    expect(await run(`await connect("unix:/nonexistent/x,exec:false", { database: "Test" }).catch((error) => console.log(error.code));`)).toBe(
      "OVSDB_CONNECTION\n",
    );
  });
});
