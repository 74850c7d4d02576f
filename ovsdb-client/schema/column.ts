import type { Value, WritableValue } from "../values";
import type { WireValue } from "../wire";
import { decodeValue } from "./decode";
import { encodeValue } from "./encode";
import type { ColumnType } from "./types";

export class ColumnSchema {
  /** For errors: `Logical_Switch.ports`. */
  readonly path: string;

  constructor(
    /** The table's name. */
    readonly table: string,
    readonly name: string,
    readonly type: ColumnType,
    /** False: it can be set by insert only. */
    readonly mutable: boolean,
    /** True: it does not outlive the server. */
    readonly ephemeral: boolean,
  ) {
    this.path = `${table}.${name}`;
  }

  get isMap(): boolean {
    return this.type.value !== undefined;
  }

  get isScalar(): boolean {
    return !this.isMap && this.type.min === 1 && this.type.max === 1;
  }

  /** At most one element, possibly none: null, or the element. */
  get isOptional(): boolean {
    return !this.isMap && this.type.min === 0 && this.type.max === 1;
  }

  /** More than one element possible: an array. */
  get isSet(): boolean {
    return !this.isMap && this.type.max > 1;
  }

  /** Throws a ValueError when the value does not fit the column's type. */
  encode(value: WritableValue): WireValue {
    return encodeValue(value, this.type, this.path);
  }

  /** Throws a ProtocolError when the server's value does not fit the column's type. */
  decode(wire: unknown): Value {
    return decodeValue(wire, this.type, this.path);
  }
}
