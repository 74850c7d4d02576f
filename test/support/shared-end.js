const { rm } = require("node:fs/promises");

module.exports = async () => {
  // Assigning undefined would set the text "undefined".
  if (globalThis.temporaryFolder === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = globalThis.temporaryFolder;
  await rm(process.env.PULUMI_OVN_TEST_SHARED, { recursive: true, force: true, maxRetries: 5 });
};
