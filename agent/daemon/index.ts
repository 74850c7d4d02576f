/** The daemon, for `pulumi-ovn agent`. */
export { type DaemonOptions, runDaemon } from "./daemon";
export type { Listen } from "./endpoints";
export { AgentError } from "./errors";
export type { Health } from "./health";
export { listenAddress } from "./listen-address";
export { convergeOnce, type DryRun, dryRun, type OnceOptions, withdraw } from "./once";
export { logTo, printProblems } from "./print";
