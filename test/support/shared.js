const { mkdtemp } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/**
 * Creates a folder that all test files of a run share: compiled modules, the API servers of the workers, and the temporary files of tests and of
 * programs that they start. A worker is not notified of its end, and a killed one removes nothing. The name is short, because a socket's path
 * has at most 107 bytes.
 */
module.exports = async () => {
  globalThis.temporaryFolder = process.env.TMPDIR;
  process.env.PULUMI_OVN_TEST_SHARED = await mkdtemp(join(tmpdir(), "ovn-test-"));
  process.env.TMPDIR = process.env.PULUMI_OVN_TEST_SHARED;
};
