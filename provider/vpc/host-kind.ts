import type { FlowSet, HostArgs } from "../flows/flow-set";
import type { Kind, Outputs } from "../kind";
import type { RowSet } from "../rows/rowset";

/** What a kind has on one host: rows of its Open vSwitch database, and flows on bridges, which come after the rows and go before them. */
export interface HostRendered extends Outputs {
  readonly rows: RowSet;
  readonly flows: FlowSet;
}

/** A kind of resource that consists of bridges, ports and flows of one host. */
export interface HostKind<Args extends HostArgs> extends Kind<Args, HostRendered> {}
