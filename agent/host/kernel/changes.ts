import type { IpStep } from "../steps";

/** Added or replaced objects of a kind, and removed objects. */
export interface Changes {
  readonly made: readonly IpStep[];
  readonly removed: readonly IpStep[];
}

/** With what there is of the kind, others' too, when all of that has been done. */
export interface Followed<Live> extends Changes {
  readonly after: readonly Live[];
}
