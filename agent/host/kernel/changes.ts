import type { IpStep } from "../steps";

/** Added or replaced objects of a kind, and removed objects. */
export interface Changes {
  readonly made: readonly IpStep[];
  readonly removed: readonly IpStep[];
}

/** Objects of the kind, including those of other writers, after all changes. */
export interface Followed<Live> extends Changes {
  readonly after: readonly Live[];
}
