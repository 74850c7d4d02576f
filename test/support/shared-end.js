const { once } = require("node:events");
const { rm } = require("node:fs/promises");

module.exports = async () => {
  const { transitKeys: keys } = globalThis;
  if (keys.exitCode === null && keys.signalCode === null) {
    const ended = once(keys, "exit");
    keys.stdin.end();
    await ended;
  }
  await rm(process.env.PULUMI_OVN_TEST_MODULES, { recursive: true, force: true, maxRetries: 5 });
};
