/**
 * Internal functions that this repository's tests call. Packages are published without this file; nothing else imports it.
 * Why: docs/explanation/decisions/tests-import-entries.md
 */
export { actionlint } from "./actionlint";
export { addressOf, externalNetwork, hostAddresses, maximumHosts, workloadAddresses, workloadNetwork } from "./addresses";
export { parseArguments, usage } from "./arguments";
export { isRecent, programEnvironment } from "./binaries";
export { cacheFolder, lock, makeOnce } from "./cache";
export { proofText } from "./checks";
export { chooseMirror, isWanted } from "./debian-tree";
export { contents, difference, leftovers } from "./examples/leftovers";
export { keptText } from "./examples/run";
export { fabricLink, leafNames } from "./fabric";
export { sandboxFolder, sandboxesFolder } from "./folder";
export { bgpConfiguration, establishedSessions } from "./frr";
export { frrK8sScripts, hostObjects } from "./frr-k8s";
export type { GoTool } from "./go-tools";
export { daemonCommand, hostDaemons, hostEnvironment, portCommands, workloadCommands } from "./host-script";
export { initScript, namespaceFiles } from "./init-script";
export { installKubernetesPlugin } from "./kubernetes-plugin";
export type { ServerSite } from "./kubernetes-server";
export { layout, namespacesOf, sitesOf } from "./layout";
export { numbersRead } from "./namespaces";
export { run, runOrFail, until } from "./process";
export { openSsh } from "./open-ssh";
export { commandOf, processTree } from "./process-tree";
export { duration, step } from "./progress";
export { pulumiEnvironment, pulumiFolder } from "./pulumi-cli";
export { type Shells, shells } from "./shells";
export { withTargets } from "./stack-config";
export { statusText } from "./status";
export { prepareTools } from "./tools";
export { ENDED } from "./uml";
export { exportLines, quote } from "./shell";
export { programFolders } from "./path";
export { projectRoot } from "./project-root";
