import type { Properties } from "../../contract/backend";
import type { Rendered } from "../kind";
import { findAdoptable } from "./find";
import type { Target } from "../live/target";

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
