/** Cause and remedy of one code, as Markdown. The remedy is empty if the cause suffices, both are if the message does. */
export type Entry = readonly [cause: string, remedy: string];

export type Entries = Readonly<Record<string, Entry>>;

/** One section of the page. */
export interface Group {
  readonly title: string;
  readonly intro: string;
  /** Folders whose sources throw these codes. */
  readonly folders: readonly string[];
  readonly entries: Entries;
}
