import type { DesiredRow } from "../set";

/** Texts for lines and digests. */
export interface RowTexts {
  readonly table: string;
  readonly label: string;
  /** All words in one line. */
  readonly text: string;
  /** Its part of the digest. */
  readonly json: string;
}

/** A row in no other row's set, with texts that were computed without its columns. */
export class FormedRow implements DesiredRow {
  readonly table: string;
  readonly key: string;
  readonly columns: DesiredRow["columns"];
  readonly #texts: () => RowTexts;

  constructor({ table, key, columns }: DesiredRow, texts: () => RowTexts) {
    this.table = table;
    this.key = key;
    this.columns = columns;
    this.#texts = texts;
  }

  /** Undefined for other rows. */
  static textsOf(row: DesiredRow): RowTexts | undefined {
    return #texts in row ? row.#texts() : undefined;
  }
}
