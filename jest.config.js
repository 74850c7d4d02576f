// Tests run the TypeScript sources directly; the packages' own names map to their sources.
const common = {
  testEnvironment: `${__dirname}/test/support/environment.js`,
  transform: { "\\.m?ts$": ["@swc/jest", { jsc: { target: "es2023", parser: { syntax: "typescript" } }, module: { type: "commonjs" } }] },
  moduleNameMapper: {
    "^@pulumi-ovn/ovsdb-client$": "<rootDir>/ovsdb-client/index.ts",
    "^@pulumi-ovn/provider$": "<rootDir>/provider/index.ts",
    "^@pulumi-ovn/provider/rows$": "<rootDir>/provider/rows.ts",
    "^@pulumi-ovn/provider/tools$": "<rootDir>/provider/tools.ts",
    "^@pulumi-ovn/provider/targets$": "<rootDir>/provider/targets/index.ts",
    "^@pulumi-ovn/provider/lookup$": "<rootDir>/provider/kinds/lookup/index.ts",
    "^@pulumi-ovn/provider/nearest$": "<rootDir>/provider/kit/arguments/nearest.ts",
    "^@pulumi-ovn/provider/cache$": "<rootDir>/provider/kit/user-cache.ts",
    "^@pulumi-ovn/provider/runtime$": "<rootDir>/provider/serve/pulumi/dynamic.ts",
    "^@pulumi-ovn/provider/agent$": "<rootDir>/provider/agent.ts",
    "^@pulumi-ovn/agent$": "<rootDir>/agent/index.ts",
    "^@pulumi-ovn/cli$": "<rootDir>/cli/index.ts",
    "^@pulumi-ovn/cli/upgrade$": "<rootDir>/cli/upgrade/index.ts",
    "^@pulumi-ovn/cli/import$": "<rootDir>/cli/import/index.ts",
    "^@pulumi-ovn/cli/egress$": "<rootDir>/cli/egress/drain.ts",
    "^@pulumi-ovn/cli/diff$": "<rootDir>/cli/diff/index.ts",
    "^@kubernetes/client-node$": "<rootDir>/test/support/client-node.js",
    "^@pulumi-ovn/policies$": "<rootDir>/policies/index.ts",
    "^@pulumi-ovn/sandbox$": "<rootDir>/sandbox/index.ts",
    "^@pulumi-ovn/([a-z-]+)/testing$": "<rootDir>/$1/testing.ts",
    "^pulumi-ovn/testing$": "<rootDir>/sdk/testing.ts",
    "^pulumi-ovn$": "<rootDir>/sdk/index.ts",
    "^pulumi-ovn/runtime$": "<rootDir>/sdk/runtime.ts",
  },
  // Programs of examples are modules in any package.
  moduleFileExtensions: ["ts", "mts", "js", "mjs", "cjs", "json", "node"],
  modulePathIgnorePatterns: ["/dist/"],
};
const project = (displayName) => ({
  ...common,
  displayName,
  rootDir: __dirname,
  testMatch: [`<rootDir>/test/${displayName}/**/*.test.ts`],
  globalSetup: `${__dirname}/test/support/shared.js`,
  globalTeardown: `${__dirname}/test/support/shared-end.js`,
});
module.exports = {
  projects: ["unit", "integration", "e2e"].map(project),
  testTimeout: 120_000,
  testSequencer: `${__dirname}/test/support/sequencer.js`,
  // More workers would disturb the packets that e2e tests count; `npm test` gives the others a third one.
  maxWorkers: 2,
};
