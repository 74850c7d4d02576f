/**
 * What Pulumi asks of a Vault server that keeps the keys of its stacks: the two calls of the transit engine, on a port of its own,
 * until standard input ends. A passphrase in its place is hashed a million times by each run of the engine, and that takes a third of
 * the CLI's processor time. Nothing is kept here: what is encrypted by it is a stack's key, and there is no secret behind that.
 */
const { createServer } = require("node:http");
const { json } = require("node:stream/consumers");

/** How Vault marks a text that a key's first version has encrypted. */
const MARK = "vault:v1:";

const calls = {
  encrypt: ({ plaintext }) => ({ ciphertext: `${MARK}${plaintext}` }),
  decrypt: ({ ciphertext }) => ({ plaintext: ciphertext.slice(MARK.length) }),
};

const server = createServer(async (request, response) => {
  const call = calls[/^\/v1\/transit\/(encrypt|decrypt)\/[\w-]+$/.exec(request.url)?.[1]];
  const answer = (status, body) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  if (call === undefined) return answer(404, { errors: [] });
  try {
    answer(200, { data: call(await json(request)) });
  } catch (error) {
    answer(400, { errors: [error.message] }); // also of a run that was killed while it asked: the others go on
  }
});
server.listen(0, "127.0.0.1", () => console.log(`http://127.0.0.1:${server.address().port}`));
process.stdin.on("end", () => process.exit()).resume();
