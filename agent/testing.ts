/**
 * Internal functions that this repository's tests call. Packages are published without this file; nothing else imports it.
 * Why: docs/explanation/decisions/tests-import-entries.md
 */
export { LOCK, acquireAgentLock } from "./daemon/agent-lock";
export { type Convergence, Converging, TIMES } from "./daemon/converging";
export { listen } from "./daemon/endpoints";
export { frrProbe } from "./daemon/frr-probe";
export { healthOf } from "./daemon/health";
export { Journal } from "./daemon/journal";
export { type Ended, Loop, RETRY, type Work } from "./daemon/loop";
export { metricsText } from "./daemon/metrics";
export { watchdog } from "./daemon/watchdog";
export { MAX_SCAN_DELAY } from "./host/agent-host";
export { apply, groupsOf } from "./host/apply";
export { watchFolder } from "./host/folder";
export { LastingErrors, compareAnnouncements, planAnnouncements } from "./host/frr/announcements";
export { bgpIn, hasMark, hasTag, importedIn, versionIn } from "./host/frr/config";
export { originsIn } from "./host/frr/origins";
export { planFrr } from "./host/frr/plan";
export { vrfsIn as frrVrfsIn } from "./host/frr/vrf";
export { configure, readFrr, readOrigins } from "./host/frr/vtysh";
export { NOTHING_WATCHED, isAsDesired, isRelevant, routesByKey, watchedBy } from "./host/kernel-events";
export { failuresIn, runBatch, setSysctls } from "./host/kernel/batch";
export { destinationText } from "./host/kernel/names";
export { addressesOf, listOf, neighborOf, proxyOf, routeOf, ruleOf } from "./host/kernel/parse";
export { planKernel } from "./host/kernel/plan";
export { hasAddressOwners, scopeOf } from "./host/kernel/read";
export { planVrf, vrfsIn as kernelVrfsIn } from "./host/kernel/vrf";
export { Writer } from "./host/kernel/writer";
export type {
  LiveAddress,
  LiveBgp,
  LiveFlows,
  LiveFrr,
  LiveHost,
  LiveKernel,
  LiveNeighbor,
  LivePort,
  LiveProxy,
  LiveRoute,
  LiveRule,
  LiveVrf,
  LiveVrfBgp,
  Redistributed,
} from "./host/live";
export { plan } from "./host/plan";
export type { ProgramEnvironment } from "./host/program";
export { ScanCache } from "./host/scan-cache";
export type { FrrStep, IpStep, Step } from "./host/steps";
export { Superseded, unlessSuperseded } from "./host/superseded";
export { COOKIE, planFlows } from "./host/switch/flows";
export { planPorts } from "./host/switch/ports";
export { watch } from "./host/watch";
export { type HostNote, NoteWriter, writeNote } from "./southbound/host-note";
export { lastReadable } from "./southbound/last-readable";
export { natConditions } from "./southbound/nat-conditions";
export { Northbound } from "./southbound/northbound";
export { type Lookup, Servers } from "./southbound/servers";
