const { mkdtemp } = require("node:fs/promises");
const { tmpdir } = require("node:os");
const { join } = require("node:path");

/** A folder for what the processes of Pulumi load, for as long as the tests run: see module-archive.cjs. */
module.exports = async () => {
  process.env.PULUMI_OVN_TEST_MODULES = await mkdtemp(join(tmpdir(), "pulumi-ovn-modules-"));
};
