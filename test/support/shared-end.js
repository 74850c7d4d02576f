const { rm } = require("node:fs/promises");

module.exports = () => rm(process.env.PULUMI_OVN_TEST_SHARED, { recursive: true, force: true, maxRetries: 5 });
