import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { projectRoot } from "../../../sandbox/pulumi-cli";

let server: ChildProcessByStdio<Writable, Readable, null>;
let url: string;
beforeAll(async () => {
  server = spawn(process.execPath, [join(projectRoot, "test/support/transit-keys.cjs")], { stdio: ["pipe", "pipe", "inherit"] });
  url = String((await once(server.stdout, "data"))[0]).trim();
});
afterAll(() => void server.kill());

const call = async (path: string, body: object) => {
  const answer = await fetch(`${url}/v1/${path}`, { method: "PUT", body: JSON.stringify(body) });
  return [answer.status, await answer.json()];
};

it("gives back the key that it was given, and knows nothing else", async () => {
  expect(await call("transit/encrypt/stack", { plaintext: "a2V5" })).toEqual([200, { data: { ciphertext: "vault:v1:a2V5" } }]);
  expect(await call("transit/decrypt/stack", { ciphertext: "vault:v1:a2V5" })).toEqual([200, { data: { plaintext: "a2V5" } }]);
  expect(await call("transit/keys/stack", {})).toEqual([404, { errors: [] }]);
});

it("goes on where a request breaks off, and refuses what is no JSON", async () => {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('PUT /v1/transit/encrypt/stack HTTP/1.1\r\nHost: keys\r\nContent-Length: 100\r\n\r\n{"plain', () => socket.destroy());
  await once(socket, "close");
  expect((await fetch(`${url}/v1/transit/encrypt/stack`, { method: "PUT", body: "{" })).status).toBe(400);
  expect((await call("transit/encrypt/stack", { plaintext: "a2V5" }))[0]).toBe(200);
});

it("ends with whoever started it", async () => {
  const ended = once(server, "exit");
  server.stdin.end();
  expect(await ended).toEqual([0, null]);
});
