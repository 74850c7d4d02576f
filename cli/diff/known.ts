import type { ReadLines, Word } from "@pulumi-ovn/provider/tools";
import type { Untold } from "../plan/untold";

/** One row as it is, or is to be. */
export interface Row {
  /** `TABLE NAME`. */
  readonly label: string;
  readonly words: readonly Word[];
}

/** Known rows of a resource, keyed by the text that identifies a row in its resource. */
export type Known =
  | { readonly untold: Untold }
  | { readonly untold?: undefined; readonly rows: ReadonlyMap<string, Row>; readonly tables: ReadLines["tables"] };
