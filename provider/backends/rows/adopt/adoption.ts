import type { Properties } from "../../contract/backend";
import type { Rendered } from "../../contract/kind";
import { findAdoptable } from "./find";
import type { Target } from "../live/target";

/** An argument of every resource that consists of rows. */
export interface AdoptArgs {
  /**
   * Takes over existing rows, found by name or by what identifies a row, instead of creating them.
   * `true`: rows without an owner mark. `owners`: also rows of these, each a URN, or a mark such as
   * `k8s.ovn.org/network=blue`, `k8s.ovn.org` or `neutron`. The preview of the first update reads the database to show
   * what will change; later the argument has no effect. Default: false.
   */
  adopt?: boolean | { owners: string[] };
}

/**
 * The properties `adopted` (UUIDs by row, kept for life) and `adoption` (what the first update will do, for the
 * preview). Only a resource that is not in the state yet adopts; all later checks are pure.
 */
export async function adoption(
  olds: Properties,
  managers: readonly string[] | undefined,
  rendered: Rendered,
  target: () => Promise<Target>,
): Promise<Properties> {
  if (olds.adopted !== undefined) return { adopted: olds.adopted };
  if (managers === undefined || olds.digest !== undefined) return {};
  const { adopted, outlook } = await findAdoptable(await target(), rendered.set, rendered.primary, managers);
  return { adopted, adoption: outlook };
}
