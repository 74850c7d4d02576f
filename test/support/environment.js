const { join } = require("node:path");
const { TestEnvironment } = require("jest-environment-node");

/** What a test starts inherits it: see there. */
process.env.NODE_OPTIONS = `--require ${JSON.stringify(join(__dirname, "lean-pulumi.cjs"))}`;

/** Pulumi's CLI and Kubernetes' servers: Go's collector of unused memory takes a tenth of their processor time, and they run too briefly to need it. */
process.env.GOGC ??= "400";

/** Programs in TypeScript are checked once, all together (examples/tsconfig.json), and not by each first run of one, which takes seconds. */
process.env.PULUMI_NODEJS_TRANSPILE_ONLY = "true";

/** Node's own `require` for packages that are ES modules alone, which jest's does not load without a flag of Node's. */
module.exports = class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.nodeRequire = require;
  }
};
