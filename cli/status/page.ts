import { page } from "../picture/page/page";
import { picturedState } from "../picture/resources";
import { sceneOf } from "../picture/views";
import type { StackState } from "../stack/stack-state";
import type { Seen } from "./section";

/** Pure. The picture of a stack, with all tables. */
export function statusPage(state: StackState, seen: readonly Seen[]): string {
  const pictured = picturedState(state);
  const tables = seen.flatMap((each) => each.tables({ all: true }));
  return page(pictured, sceneOf(pictured, "topology"), tables);
}
