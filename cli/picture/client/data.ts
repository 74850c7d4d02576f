/** Facts of a box: name, value, and "+" or "-" if an update adds or removes it. */
export type DataFact = readonly [name: string, value: string, sign: "" | "+" | "-"];

/** A box, folded or not. */
export interface DataBox {
  readonly id: string;
  readonly title: string;
  /** Title of its column, or "". */
  readonly column: string;
  /** Effect of an update on it, or "". */
  readonly status: string;
  readonly facts: readonly DataFact[];
  /** Box of the picture that represents it; "" if it has a box of its own. */
  readonly fold: string;
  /** Indexes of resources, and paths of their arguments. */
  readonly sources: readonly (readonly [resource: number, paths: readonly string[]])[];
}

/** Arguments and rows of a resource. Undefined where the resource does not exist, or where the page has no room for them. */
export interface DataSide {
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly rows?: Readonly<Record<string, string>>;
}

export interface DataResource {
  readonly name: string;
  readonly kind: string;
  readonly before?: DataSide;
  readonly after?: DataSide;
}

/** Everything that a page shows on demand. */
export interface PageData {
  readonly boxes: readonly DataBox[];
  readonly resources: readonly DataResource[];
}
