/**
 * Effects of an adoption on existing rows or objects: the property `adoption` of the checked inputs, for previews and `pulumi-ovn diff`. By
 * effect, then by label.
 */
export interface Outlook {
  /** Taken over as they are. */
  readonly adopted?: Readonly<Record<string, string>>;
  /** Taken over and changed: the words that differ, as there are and as there will be. */
  readonly changed?: Readonly<Record<string, { readonly before: string; readonly after: string }>>;
  /** Not there, so made. */
  readonly added?: Readonly<Record<string, string>>;
  /** Stay their owners', with whom the resource shares them. */
  readonly shared?: Readonly<Record<string, string>>;
}

const TEXTS = { adopted: "as it is", added: "made", shared: "with its owners" } as const;

/** One of them. */
export type Outcome = readonly [label: string, outcome: keyof typeof TEXTS | { readonly before: string; readonly after: string }];

/** Without the outcomes that nothing has. */
export function outlookOf(outcomes: readonly Outcome[]): Outlook {
  const outlook: Record<string, Record<string, unknown>> = {};
  for (const [label, outcome] of outcomes) {
    const [name, differences] = typeof outcome === "string" ? [outcome, TEXTS[outcome]] : ["changed", outcome];
    (outlook[name] ??= {})[label] = differences;
  }
  return outlook;
}
