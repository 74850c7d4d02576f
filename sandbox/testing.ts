/**
 * Internal functions that this repository's tests call. Packages are published without this file; nothing else imports it.
 * Why: docs/explanation/decisions/tests-import-entries.md
 */
export { cacheFolder, lock, makeOnce } from "./kit/cache";
export { run, runOrFail, until } from "./kit/process";
export { commandOf, processTree } from "./kit/process-tree";
export { duration, step } from "./kit/progress";
export { projectRoot } from "./kit/project-root";
export { exportLines, quote } from "./kit/shell";
export { actionlint } from "./tools/actionlint";
export { isRecent, programEnvironment } from "./tools/binaries";
export { chooseMirror, isWanted } from "./tools/debian-tree";
export type { GoTool } from "./tools/go-tools";
export { installKubernetesPlugin } from "./tools/kubernetes-plugin";
export { openSsh } from "./tools/open-ssh";
export { programFolders } from "./tools/path";
export { pulumiEnvironment, pulumiFolder } from "./tools/pulumi-cli";
export { type Shells, shells } from "./tools/shells";
export { addressOf, externalNetwork, hostAddresses, maximumHosts, workloadAddresses, workloadNetwork } from "./plan/addresses";
export { fabricLink, leafNames } from "./plan/fabric";
export { bgpConfiguration, establishedSessions } from "./plan/frr";
export { frrK8sScripts, hostObjects } from "./plan/frr-k8s";
export { daemonCommand, hostDaemons, hostEnvironment, portCommands, workloadCommands } from "./plan/host-script";
export { initScript, namespaceFiles } from "./plan/init-script";
export { layout, namespacesOf, sitesOf } from "./plan/layout";
export type { ServerSite } from "./servers/kubernetes-server";
export { sandboxFolder, sandboxesFolder } from "./lifecycle/folder";
export { numbersRead } from "./lifecycle/namespaces";
export { statusText } from "./lifecycle/status";
export { ENDED } from "./guest/uml";
export { proofText } from "./examples/checks";
export { contents, difference, leftovers } from "./examples/leftovers";
export { keptText } from "./examples/run";
export { parseArguments, usage } from "./commands/arguments";
export { withTargets } from "./commands/stack-config";
export { prepareTools } from "./commands/tools";
