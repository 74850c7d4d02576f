import type { Failure } from "../../../kit/arguments/errors";

/** Something that a schema lacks. */
export interface Misfit extends Failure {
  /** A newer schema may have it. */
  readonly newer: boolean;
}
