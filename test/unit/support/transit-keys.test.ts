import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
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

it("ends with whoever started it", async () => {
  const ended = once(server, "exit");
  server.stdin.end();
  expect(await ended).toEqual([0, null]);
});
