import type { IpStep } from "../steps";

/** What of a kind comes, or takes the place of something, and what goes. */
export interface Changes {
  readonly made: readonly IpStep[];
  readonly removed: readonly IpStep[];
}

/** With what there is of the kind, others' too, when all of that has been done. */
export interface Followed<Live> extends Changes {
  readonly after: readonly Live[];
}
