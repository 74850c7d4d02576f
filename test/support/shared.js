const { spawn } = require("node:child_process");
const { once } = require("node:events");
const { mkdtemp } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/** What tests have in common that start Pulumi, for as long as they run: a folder for what its processes load (module-archive.cjs), and a server of keys. */
module.exports = async () => {
  process.env.PULUMI_OVN_TEST_MODULES = await mkdtemp(join(tmpdir(), "pulumi-ovn-modules-"));
  const keys = spawn(process.execPath, [join(__dirname, "transit-keys.cjs")], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(keys, "exit").then(([code]) => { throw new Error(`the server of keys ended with ${code}`); });
  const [url] = await Promise.race([once(keys.stdout, "data"), ended]);
  ended.catch(() => undefined); // each run that asks it says so
  globalThis.transitKeys = keys;
  // By these names Pulumi's CLI looks for it.
  process.env.VAULT_SERVER_URL = String(url).trim();
  process.env.VAULT_SERVER_TOKEN = "tests";
};
