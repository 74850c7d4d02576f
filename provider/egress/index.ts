export { drainNode, restoreNode, LastNextHopError, type DrainOptions, type DrainReport, type RestoreOptions, type ZoneReport } from "./drain";
export type { Zones } from "../zones/config";
