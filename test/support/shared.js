const { mkdtemp } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/** Creates a folder that all test files of a run share: compiled modules and the API servers of the workers. */
module.exports = async () => {
  process.env.PULUMI_OVN_TEST_SHARED = await mkdtemp(join(tmpdir(), "pulumi-ovn-shared-"));
};
