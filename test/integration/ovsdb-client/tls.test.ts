import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile, writeFile } from "node:fs/promises";
import { createServer as createTcpServer, type AddressInfo, type Server } from "node:net";
import { join } from "node:path";
import { createServer as createTlsServer } from "node:tls";
import { connect, type OvsdbError, type TlsFiles } from "@pulumi-ovn/ovsdb-client";
import { freePort, runProgram, standalone } from "../../support/ovsdb-server";
import { Authority, type Identity } from "../../support/ovsdb-tls";

let server: Awaited<ReturnType<typeof standalone>>;
let port: number;
let authority: Authority;
let stranger: Authority;
let own: Identity;
let other: Identity;

beforeAll(async () => {
  port = await freePort();
  server = await standalone({
    remotes: async (folder) => {
      authority = await Authority.create(folder, "authority");
      stranger = await Authority.create(folder, "stranger");
      const identity = await authority.issue("ovsdb.example");
      own = await authority.issue("client.example");
      other = await stranger.issue("stranger.example");
      return [
        `--remote=pssl:${port}:127.0.0.1`,
        `--private-key=${identity.privateKey}`,
        `--certificate=${identity.certificate}`,
        `--ca-cert=${authority.certificate}`,
      ];
    },
  });
});
afterAll(() => server.remove());

const endpoint = () => `ssl:127.0.0.1:${port}`;
const all = (): TlsFiles => ({ ...own, ca: authority.certificate, serverName: "ovsdb.example" });
const file = async (name: string, text: string) => {
  const path = join(server.folder, name);
  await writeFile(path, text);
  return path;
};

async function failure(tls: TlsFiles, at = endpoint()): Promise<OvsdbError> {
  const error: OvsdbError = await connect(at, { database: "Test", tls, connectTimeout: 3000 }).then(
    async (client) => {
      await client.close();
      throw new Error("no error");
    },
    (problem: OvsdbError) => problem,
  );
  expect([error.code, error.endpoint]).toEqual(["OVSDB_CONNECTION", at]);
  expect(error.message.startsWith(`${at}: `)).toBe(true);
  return error;
}
const problem = async (tls: TlsFiles, at = endpoint()) => (await failure(tls, at)).message.slice(`${at}: `.length);

describe("an unusable file is named", () => {
  test.each<[string, keyof TlsFiles]>([
    ["private key", "privateKey"],
    ["certificate", "certificate"],
    ["CA certificate", "ca"],
  ])("%s: not there, a folder, empty, or something else", async (what, name) => {
    const missing = join(server.folder, "missing.pem");
    expect(await problem({ ...all(), [name]: missing })).toBe(`the TLS ${what} ${missing} can't be read: ENOENT: no such file or directory, open '${missing}'`);
    expect(await problem({ ...all(), [name]: server.folder })).toBe(
      `the TLS ${what} ${server.folder} can't be read: EISDIR: illegal operation on a directory, read`,
    );
    const empty = await file("empty.pem", "");
    expect(await problem({ ...all(), [name]: empty })).toContain(`the TLS ${what} ${empty} can't be used: `);
    const text = await file(
      "text.pem",
      "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
    );
    expect(await problem({ ...all(), [name]: text })).toContain(`the TLS ${what} ${text} can't be used: `);
  });

  test("also without the contents of a key in any part of the error", async () => {
    const key = await readFile(own.privateKey, "utf8");
    const broken = await file("broken.pem", key.replace(/\n/g, "\n!"));
    expect(await problem({ ...all(), privateKey: broken })).not.toContain(key.split("\n")[1]);
  });

  test("if the files are swapped", async () => {
    expect(await problem({ ...all(), privateKey: own.certificate, certificate: own.privateKey })).toContain(
      `the TLS private key ${own.certificate} can't be used: `,
    );
    expect(await problem({ ...all(), certificate: own.privateKey })).toContain(`the TLS certificate ${own.privateKey} can't be used: `);
  });

  test("if a key has a passphrase", async () => {
    const encrypted = join(server.folder, "encrypted.pem");
    await runProgram("openssl", ["pkcs8", "-topk8", "-in", own.privateKey, "-out", encrypted, "-passout", "pass:secret"], server.folder);
    expect(await problem({ ...all(), privateKey: encrypted })).toBe(`the TLS private key ${encrypted} can't be used: it is encrypted`);
  });

  test("if one is missing, or does not belong to the other", async () => {
    const { privateKey, certificate } = own;
    const rest = { ca: authority.certificate, serverName: "ovsdb.example" };
    expect(await problem({ ...rest, privateKey })).toBe(`the TLS private key ${privateKey} has no certificate next to it`);
    expect(await problem({ ...rest, certificate })).toBe(`the TLS certificate ${certificate} has no private key next to it`);
    expect(await problem({ ...rest, certificate, privateKey: other.privateKey })).toBe(
      `the TLS private key ${other.privateKey} is not that of the certificate ${certificate}`,
    );
  });

  test("if one of several authorities is broken", async () => {
    const good = await readFile(authority.certificate, "utf8");
    const bundle = await file("bundle.pem", `${good}-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n`);
    expect(await problem({ ...all(), ca: bundle })).toContain(`the TLS CA certificate ${bundle} can't be used: `);
  });

  test("and text between authorities is accepted, as ovs-pki writes it", async () => {
    const [mine, strange] = [await readFile(authority.certificate, "utf8"), await readFile(stranger.certificate, "utf8")];
    const bundle = await file("words.pem", `Certificate:\n    Data: - - -\n${strange}\n# mine\n${mine}`);
    await using client = await connect(endpoint(), { database: "Test", tls: { ...all(), ca: bundle } });
    expect(client.connected).toBe(true);
  });
});

describe("the side that refused is named", () => {
  test("the client: another authority", async () => {
    expect(await problem({ ...all(), ca: stranger.certificate })).toMatch(
      new RegExp(
        `^we refused the server's certificate: (?:self-signed certificate in certificate chain|unable to verify the first certificate|unable to get local issuer certificate) \\(trusted: ${stranger.certificate}\\)$`,
      ),
    );
  });

  test("the client: no authority is configured", async () => {
    const { ca: _, ...rest } = all();
    expect(await problem(rest)).toMatch(/^we refused the server's certificate: .* \(trusted: Node's own list of authorities\)$/);
  });

  test("the client: another name", async () => {
    expect(await problem({ ...all(), serverName: "other.example" })).toBe(
      "we refused the server's certificate: Hostname/IP does not match certificate's altnames: Host: other.example. is not in the cert's altnames: DNS:ovsdb.example",
    );
  });

  // If a server closes immediately, its alert may be lost. The client then sees only the close.
  test("the server: the certificate is from another authority", async () => {
    expect(await problem({ ...all(), ...other })).toMatch(
      new RegExp(
        `^(?:the connection was closed: )?the server (?:|closed the connection without an answer; it probably )refused our certificate ${other.certificate}`,
      ),
    );
  });

  test("the server: the client has no certificate", async () => {
    expect(await problem({ ca: authority.certificate, serverName: "ovsdb.example" })).toMatch(
      /^(?:the connection was closed: )?the server (?:|closed the connection without an answer; it probably )wants a certificate, and none is configured/,
    );
  });
});

describe("servers of other kinds", () => {
  let listener: Server | undefined;
  afterEach(async () => {
    listener?.close();
    if (listener !== undefined) await once(listener, "close");
    listener = undefined;
  });
  const listen = async (made: Server) => {
    listener = made.listen(0, "127.0.0.1");
    await once(made, "listening");
    return `ssl:127.0.0.1:${(made.address() as AddressInfo).port}`;
  };

  test.each([
    ["TLS 1.2", "-tls1_2"],
    ["TLS 1.3", "-tls1_3"],
  ])("%s: what the server's alert says", async (_version, option) => {
    const free = await freePort();
    const files = ["-key", own.privateKey, "-cert", own.certificate, "-CAfile", authority.certificate];
    const peer = spawn("openssl", ["s_server", "-accept", `127.0.0.1:${free}`, option, "-Verify", "1", "-verify_return_error", ...files], {
      stdio: ["pipe", "pipe", "ignore"],
    });
    try {
      for (let said = ""; !said.includes("ACCEPT"); ) said += String((await once(peer.stdout, "data"))[0]);
      peer.stdout.resume();
      const tls = { ...all(), serverName: "client.example" };
      expect(await problem({ ...tls, ...other }, `ssl:127.0.0.1:${free}`)).toMatch(
        new RegExp(`^(?:the connection was closed: )?the server refused our certificate ${other.certificate}: .*alert.*`),
      );
      const { privateKey: _, certificate: __, ...none } = tls;
      expect(await problem(none, `ssl:127.0.0.1:${free}`)).toMatch(
        /^(?:the connection was closed: )?the server wants a certificate, and none is configured: .*alert.*/,
      );
    } finally {
      peer.kill();
    }
  });

  test("an old version of TLS", async () => {
    const at = await listen(
      createTlsServer({
        key: await readFile(own.privateKey),
        cert: await readFile(own.certificate),
        minVersion: "TLSv1",
        maxVersion: "TLSv1.1",
        ciphers: "DEFAULT:@SECLEVEL=0",
      }),
    );
    expect(await problem(all(), at)).toMatch(/^the server (?:refused the TLS handshake|does not speak TLS as we do): .*/);
  });

  test("no TLS: the answer is not a handshake", async () => {
    const at = await listen(
      createTcpServer(
        (socket) =>
          void socket
            .on("error", () => undefined)
            .resume()
            .end("HTTP/1.1 400 Bad Request\r\n\r\n"),
      ),
    );
    expect(await problem(all(), at)).toMatch(/^the server does not speak TLS as we do: .*/);
  });

  test("no TLS: closed at the first byte", async () => {
    const at = await listen(createTcpServer((socket) => void socket.on("error", () => undefined).once("data", () => socket.destroy())));
    expect(await problem(all(), at)).toMatch(/^the server ended the TLS handshake: .*/);
  });

  test("no server: not an error of TLS", async () => {
    const free = await freePort();
    expect(await problem(all(), `ssl:127.0.0.1:${free}`)).toBe("connect ECONNREFUSED");
  });

  test("a server that fails after the handshake: not an error of certificates", async () => {
    const at = await listen(
      createTlsServer(
        { key: await readFile(own.privateKey), cert: await readFile(own.certificate) },
        (socket) => void socket.on("error", () => undefined).once("data", () => socket.end("{")),
      ),
    );
    expect(await problem({ ...all(), serverName: "client.example" }, at)).toBe("the connection was closed in the middle of a message");
  });
});
