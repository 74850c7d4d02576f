import type { Engine } from "../stack/engine";
import type { UpgradeOptions } from "./options";
import type { Reporter } from "./report";
import type { Stop } from "../stop";
import type { NetworkZones } from "./zones";

/** Tools of a rollout. */
export interface Tools {
  readonly engine: Engine;
  readonly zones: NetworkZones;
  readonly reporter: Reporter;
  readonly stop: Stop;
  readonly options: UpgradeOptions;
  /** The project's folder. */
  readonly folder: string;
}
