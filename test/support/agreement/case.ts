import type { States } from "../planned";
import type { Surroundings } from "./surroundings";

/** A stack whose simulation is compared with packets. */
export interface Case extends Surroundings {
  /** Name of the row in the table of docs/how-to/simulate.md. */
  readonly name: string;
  /** Whether the stack is an update of the case before. */
  readonly isUpdate: boolean;
  /** Whether the table has the figures of the case only in a sum. Default: false. */
  readonly isSummed?: boolean;
  readonly states: () => Promise<States>;
}
