const { once } = require("node:events");
const { rm } = require("node:fs/promises");

module.exports = async () => {
  const ended = once(globalThis.transitKeys, "exit");
  globalThis.transitKeys.stdin.end();
  await ended;
  await rm(process.env.PULUMI_OVN_TEST_MODULES, { recursive: true, force: true, maxRetries: 5 });
};
