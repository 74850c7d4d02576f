const { join } = require("node:path");
const { TestEnvironment } = require("jest-environment-node");

/** Node's own cache of compiled modules, for the programs, providers and command lines that tests start. */
if (process.env.PULUMI_OVN_TEST_SHARED) process.env.NODE_COMPILE_CACHE = join(process.env.PULUMI_OVN_TEST_SHARED, "compiled");

/** Pulumi's CLI and the Kubernetes servers: garbage collection takes a tenth of their CPU time, and they are short-lived. */
process.env.GOGC ??= "400";

/** Programs in TypeScript are checked once, all together (examples/tsconfig.json). A check at each start of a program takes seconds. */
process.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";

/** Node's own `require`, for packages that are only ES modules: Jest loads these only with a flag of Node. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.nodeRequire = require;
  }
};
