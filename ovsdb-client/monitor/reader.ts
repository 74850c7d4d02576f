import type { ColumnSchema } from "../schema/column";
import { decodeAtom, mapEntries, mapEntry, setElements } from "../schema/decode";
import { inOrder } from "../schema/order";
import type { Atom } from "../values";
import { type Cell, EMPTY } from "./cell";
import { StringPool } from "./intern";

/**
 * Reads the values of one column of a monitored table, trusting nothing. The first contents of a table are mostly read before this
 * is compiled, so what matters here is how few steps a value takes.
 */
export class CellReader {
  /** Keys of maps: few even if the values are many. */
  private readonly keys = new StringPool();
  private readonly values = new StringPool();

  constructor(
    readonly column: ColumnSchema,
    /** The column's position among the row's cells. */
    readonly at: number,
  ) {}

  /** Throws a ProtocolError when the server's value does not fit the column's type. */
  read(wire: unknown): Cell {
    const { type, path } = this.column;
    const { key } = type;
    if (type.value !== undefined) return this.readMap(wire);
    if (type.max === 1) return this.keys.intern(typeof wire === "string" && key.type === "string" ? wire : (this.column.decode(wire) as Atom | null));
    const elements = setElements(wire);
    if (elements === undefined) return [this.keys.intern(decodeAtom(wire, key, path))];
    if (elements.length === 0) return EMPTY;
    return inOrder(
      elements.map((atom) => this.keys.intern(decodeAtom(atom, key, path))),
      1,
    );
  }

  private readMap(wire: unknown): Cell {
    const { type, path } = this.column;
    const entries = mapEntries(wire, path);
    if (entries.length === 0) return EMPTY;
    // Allocated with the final size: `push` would reserve three times as much.
    const flat = new Array<Atom>(2 * entries.length);
    for (let at = 0; at < entries.length; at++) {
      const [key, value] = mapEntry(entries[at], path);
      flat[2 * at] = this.keys.intern(decodeAtom(key, type.key, path));
      flat[2 * at + 1] = this.values.intern(decodeAtom(value, type.value!, path));
    }
    return inOrder(flat, 2);
  }
}
