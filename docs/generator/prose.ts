/** A comment's text as Markdown: lines joined to paragraphs. */
export function paragraphs(comment: string): string {
  return comment
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.replace(/\s+/g, " ").trim())
    .join("\n\n");
}

export interface Meaning {
  readonly text: string;
  /** Text after "Default:" in the comment; undefined without it. */
  readonly default: string | undefined;
}

/** Takes the sentence about the default out of a comment. It ends at a full stop that no digit or letter follows. */
export function meaningOf(comment: string): Meaning {
  const text = paragraphs(comment).replace(/\n+/g, " ");
  const found = /(?:^|(?<=\s))Default: (.*?)\.(?=\s|$)/.exec(text);
  if (!found) return { text, default: undefined };
  return { text: (text.slice(0, found.index) + text.slice(found.index + found[0].length)).replace(/\s+/g, " ").trim(), default: found[1]! };
}

/** First clause of a text, for an index: up to a colon, semicolon or full stop. */
export function firstClause(text: string): string {
  return /^.*?(?=[.:;](?:\s|$))/s.exec(text)?.[0] ?? text;
}

/** Text fit for the cell of a table: also inside of code a bar would end it. */
export function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => cells.map(cell).join(" | ");
  return [line(head), head.map(() => "---").join("|"), ...rows.map((cells) => line(cells).trimEnd())].join("\n");
}
