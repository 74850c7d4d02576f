/**
 * Internal functions that this repository's tests call. Packages are published without this file; nothing else imports it.
 * Why: docs/explanation/decisions/tests-import-entries.md
 */
export { claimTunnelKey, requireAgreement } from "./agreement";
export { Claims } from "./claims";
export { advertisedNetworks } from "./components/advertised-networks";
export { withConfiguredTopology } from "./components/configured-topology";
export { endWithoutReader } from "./engine-loss";
export { requireOneInstance } from "./exposure-agreement";
export { nodeProblem } from "./node-version";
export { secretsIn } from "./secrets";
