export { readZones, ZONES_VARIABLE, type Zone, type Zones } from "./config";
export { Connections } from "./connections";
export { propagate, PropagationError, type WaitFor } from "./propagate";
