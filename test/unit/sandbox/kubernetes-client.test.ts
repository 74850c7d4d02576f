import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { RequestListener } from "node:http";
import { createServer, type Server } from "node:https";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { KubernetesClient } from "@pulumi-ovn/sandbox";
import { Authority } from "../../support/ovsdb-tls";

const folder = mkdtempSync(join(tmpdir(), "kubernetes-client-"));
let server: Server;
let client: KubernetesClient;
let connections = 0;
let answer: RequestListener;

beforeAll(async () => {
  const authority = await Authority.create(folder, "authority");
  const { privateKey, certificate } = await authority.issue("localhost");
  server = createServer({ key: readFileSync(privateKey), cert: readFileSync(certificate) }, (request, response) => answer(request, response));
  server.on("secureConnection", () => connections++).listen(0, "localhost");
  await once(server, "listening");
  const kubeconfig = join(folder, "kubeconfig");
  const cluster = { server: `https://localhost:${(server.address() as AddressInfo).port}`, "certificate-authority": authority.certificate };
  writeFileSync(kubeconfig, JSON.stringify({ "current-context": "admin", clusters: [{ cluster }], users: [{ name: "admin", user: { token: "secret" } }] }));
  client = new KubernetesClient(kubeconfig);
});
beforeEach(async () => {
  server.closeAllConnections();
  answer = ({ method, url, headers }, response) => response.end(JSON.stringify([method, url, headers.authorization, headers["content-type"]]));
  await client.ask("GET", "/first");
  connections = 0;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
  rmSync(folder, { recursive: true });
});

it("sends requests over one connection", async () => {
  expect(await client.must("GET", "/one")).toEqual(["GET", "/one", "Bearer secret", "application/json"]);
  expect(await client.must("PATCH", "/two", {}, { type: "application/yaml" })).toEqual(["PATCH", "/two", "Bearer secret", "application/yaml"]);
  expect(connections).toBe(0);
});

it("sends a request over a new connection if the server has closed the old one without an answer", async () => {
  const asked: string[] = [];
  const usual = answer;
  answer = (request, response) => (asked.push(request.url!) === 1 ? void request.socket.destroy() : usual(request, response));
  expect(await client.must("POST", "/made", { a: 1 })).toEqual(["POST", "/made", "Bearer secret", "application/json"]);
  expect([asked, connections]).toEqual([["/made", "/made"], 1]);
});

it("fails if the server closes the new connection, too", async () => {
  let asked = 0;
  answer = (request) => void (asked++, request.socket.destroy());
  await expect(client.ask("GET", "/never")).rejects.toMatchObject({ code: "ECONNRESET" });
  expect([asked, connections]).toEqual([2, 1]);
});

it("fails without an answer in time, or with an incomplete one", async () => {
  answer = () => undefined;
  await expect(client.ask("GET", "/silent", undefined, { timeout: 20 })).rejects.toMatchObject({
    code: "timeout",
    message: expect.stringMatching(/^GET https:.*\/silent: no answer within 20 ms$/),
  });
  answer = (request, response) => {
    response.writeHead(200, { "content-length": "100" }).write("half", () => request.socket.destroy());
  };
  await expect(client.ask("GET", "/half")).rejects.toMatchObject({ code: "ECONNRESET" });
});
