import type { Failure } from "../../../kit/arguments/errors";

/** Something that a schema has no place for. */
export interface Misfit extends Failure {
  /** A newer schema may have a place for it. */
  readonly newer: boolean;
}
