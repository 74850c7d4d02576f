import type { Properties } from "./values";

/** A resource of a stack, before or after an update. */
export interface PicturedResource {
  readonly urn: string;
  readonly type: string;
  readonly inputs: Properties;
  readonly outputs?: Properties | undefined;
}

/** Role of a box. It decides the shape, so that pictures are readable without colours. */
export type Role = "outside" | "router" | "switch" | "workload" | "address" | "service" | "rule" | "host";

/** One statement about a box, such as `address` and `172.18.0.11/24`. A box may have several facts of one name. */
export interface Fact {
  readonly name: string;
  readonly value: string;
  /** Word between it and the previous fact of its name, such as "or". Not part of its identity. */
  readonly joint?: string;
}

/** Origin of a box: arguments of one resource. */
export interface Source {
  readonly urn: string;
  /** Paths of arguments. */
  readonly arguments: readonly string[];
}

/** A thing in a picture. Its identity and its position derive from names only. */
export interface Box {
  /** The same before and after an update. */
  readonly id: string;
  readonly role: Role;
  readonly title: string;
  readonly facts: readonly Fact[];
  readonly band: string;
  /** The column that contains it. Undefined for a box that spans `columns`. */
  readonly column: string | undefined;
  /** Columns that a wide box belongs to. Empty: all columns. */
  readonly columns: readonly string[];
  readonly sources: readonly Source[];
  /** Physical network (`network_name`) of an external network. */
  readonly network?: string;
}

/** A horizontal layer. Bands are in order from the outside to the workloads. */
export interface Band {
  readonly id: string;
  /** Text at the left. */
  readonly title: string;
  /** Network or VPC that it belongs to. Bands of one group are folded together. */
  readonly group?: string;
  /** Whether it is above the columns, because its boxes are not in any host. */
  readonly isOutside?: boolean;
}

/** A zone, a host, or a node: a container from top to bottom. */
export interface Column {
  readonly id: string;
  readonly title: string;
  readonly facts: readonly Fact[];
}

export interface Link {
  readonly from: string;
  readonly to: string;
  readonly title: string;
}

/** Contents of a picture, independent of positions. */
export interface Scene {
  readonly title: string;
  /** The question that the picture answers. */
  readonly question: string;
  readonly columns: readonly Column[];
  readonly bands: readonly Band[];
  readonly boxes: readonly Box[];
  readonly links: readonly Link[];
}

export function facts(name: string, values: readonly (string | undefined)[]): Fact[] {
  return values.flatMap((value) => (value === undefined || value === "" ? [] : [{ name, value }]));
}

/** Text of a fact, on one line. */
export function factText({ name, value, joint = "" }: Fact): string {
  return [joint, name, value].filter((part) => part !== "").join(" ");
}
