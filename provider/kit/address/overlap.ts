import type { Failure } from "../arguments/errors";
import { type Prefix, formatPrefix, overlaps } from "./prefix";

/** A subnet, and how a user would call it. */
export interface NamedSubnet {
  /** Such as "subnet", "join subnet", "external network of node1". */
  readonly name: string;
  /** Path of the argument that holds it. */
  readonly path: string;
  readonly prefix: Prefix;
  /** Prefixes of one group may overlap each other: the external networks of several nodes are often one. */
  readonly group?: string;
}

/** One failure for each pair that overlaps, at the path of the later one. */
export function overlapFailures(subnets: readonly NamedSubnet[]): Failure[] {
  return subnets.flatMap((later, index) =>
    subnets
      .slice(0, index)
      .filter((earlier) => (later.group === undefined || later.group !== earlier.group) && overlaps(earlier.prefix, later.prefix))
      .map((earlier) => ({
        path: later.path,
        code: "overlap",
        message: `${describe(earlier)} overlaps ${describe(later)}`,
      })),
  );
}

function describe(subnet: NamedSubnet): string {
  return `${subnet.name} ${formatPrefix(subnet.prefix)}`;
}
