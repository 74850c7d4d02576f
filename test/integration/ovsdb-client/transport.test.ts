import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { connect, type ClientOptions, type OvsdbClient, type OvsdbError } from "@pulumi-ovn/ovsdb-client";
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
const [, , path, last] = process.argv;
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
  expect(client.endpoint).toBe(endpoint);
  return await client.listDatabases();
}
const failure = (promise: Promise<unknown>): Promise<OvsdbError> => promise.then(() => { throw new Error("no error"); }, (error: OvsdbError) => error);
const exec = (...args: string[]) => `exec:${process.execPath} ${[relay, ...args].join(" ")}`;

test("tcp", async () => {
  expect(await use(`tcp:127.0.0.1:${tcp}`)).toEqual(["Test", "_Server"]);
});

test("tcp: refused", async () => {
  const endpoint = `tcp:127.0.0.1:${await freePort()}`;
  expect(await failure(use(endpoint))).toMatchObject({ code: "OVSDB_CONNECTION", endpoint, message: `${endpoint}: connect ECONNREFUSED ${endpoint.slice(4)}` });
});

describe("ssl", () => {
  const endpoint = () => `ssl:127.0.0.1:${ssl}`;
  const tls = () => ({ ...clientIdentity, ca: authority.certificate, serverName: "ovsdb.example" });

  test("both sides show certificates of the same authority", async () => {
    expect(await use(endpoint(), { tls: tls() })).toEqual(["Test", "_Server"]);
  });

  test("a large reply comes whole", async () => {
    await using client = await connect(endpoint(), { database: "Test", tls: tls() });
    const text = "é".repeat(500_000);
    expect(await client.echo([text])).toEqual([text]);
  });

  test("the certificate is for another name", async () => {
    const error = await failure(use(endpoint(), { tls: { ...tls(), serverName: "other.example" } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toContain("Hostname/IP does not match certificate's altnames: Host: other.example.");
  });

  test("without a name given, the address must be in the certificate", async () => {
    const { serverName: _, ...rest } = tls();
    expect((await failure(use(endpoint(), { tls: rest }))).message).toContain("IP: 127.0.0.1 is not in the cert's list");
  });

  test("the name's check can be left out; the authority's cannot", async () => {
    const { serverName: _, ...rest } = tls();
    expect(await use(endpoint(), { tls: { ...rest, checkServerName: false } })).toEqual(["Test", "_Server"]);
    const error = await failure(use(endpoint(), { tls: { ...rest, ca: stranger.certificate, checkServerName: false } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/self-signed certificate in certificate chain|unable to verify the first certificate|unable to get local issuer certificate/);
  });

  test("no certificate of the client's", async () => {
    const error = await failure(use(endpoint(), { tls: { ca: authority.certificate, serverName: "ovsdb.example" } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/certificate required|handshake failure|the connection was closed/);
  });

  test("a client certificate of another authority", async () => {
    const error = await failure(use(endpoint(), { tls: { ...tls(), ...strangerIdentity } }));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toMatch(/unknown ca|decrypt error|the connection was closed/);
  });

  test("a file that is not there is named", async () => {
    const error = await failure(use(endpoint(), { tls: { ...tls(), ca: "/nonexistent/ca.pem" } }));
    expect(error.message).toBe(`${endpoint()}: TLS CA certificate: ENOENT: no such file or directory, open '/nonexistent/ca.pem'`);
  });

  test("a server that speaks no TLS", async () => {
    expect((await failure(use(`ssl:127.0.0.1:${tcp}`, { tls: tls(), connectTimeout: 1000 }))).code).toBe("OVSDB_CONNECTION");
  });
});

describe("exec", () => {
  test("a program's standard input and output", async () => {
    expect(await use(exec(server.socket))).toEqual(["Test", "_Server"]);
  });

  test("a long reply through a pipe", async () => {
    await using client = await connect(exec(server.socket), { database: "Test" });
    const text = "x".repeat(3_000_000);
    expect(await client.echo([text])).toEqual([text]);
  });

  test("what it said last, and how it ended, is in the error", async () => {
    const command = exec("/x", "kex_exchange_identification");
    const error = await failure(use(command));
    expect(error.code).toBe("OVSDB_CONNECTION");
    expect(error.message).toBe(`the connection was closed: ${JSON.stringify(command.slice(5))} ended with status 3: first line\nkex_exchange_identification`);
  });

  test("a program that does not exist", async () => {
    const error = await failure(use("exec:/nonexistent/program"));
    expect(error.message).toMatch(/ended with status 12[67]: .*\/nonexistent\/program.*not found/s);
  });

  test("a program that never answers is ended", async () => {
    const error = await failure(use("exec:sleep 1000", { connectTimeout: 100 }));
    expect([error.code, error.message]).toEqual(["OVSDB_CONNECTION", "exec:sleep 1000: no answer within 100 ms"]);
  });

  test("a program that does not want to end is killed", async () => {
    const stubborn = join(server.folder, "stubborn.cjs");
    await writeFile(stubborn, `process.on("SIGTERM", () => {}); setInterval(() => {}, 1000); process.stdin.on("error", () => {}).resume();`);
    const error = await failure(use(`exec:${process.execPath} ${stubborn}`, { connectTimeout: 300 }));
    expect(error.message).toContain("no answer within 300 ms");
  });
});

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

  test("a connection that was refused leaves nothing", async () => {
    expect(await run(`await connect("unix:/nonexistent/x,exec:false", { database: "Test" }).catch((error) => console.log(error.code));`)).toBe("OVSDB_CONNECTION\n");
  });
});
