import type { Lines, Live } from "../../backends/contract/backend";
import { HIDDEN } from "../../kit/text/hidden";

/** Replaces all lines if it is unknown which of them contain a secret or a value derived from a secret. */
export const ALL_HIDDEN: Lines = { hidden: "the arguments hold a secret" };

/** Lines without what a pattern finds; labels stay different from each other. */
export function cleaned(lines: Lines, pattern: RegExp | undefined): Lines {
  if (!pattern) return lines;
  const clean: Record<string, string> = {};
  for (const [label, text] of Object.entries(lines)) {
    const name = label.replace(pattern, HIDDEN);
    let [own, count] = [name, 1];
    while (Object.hasOwn(clean, own)) own = `${name} ${++count}`;
    clean[own] = text.replace(pattern, HIDDEN);
  }
  return clean;
}

/** Desired lines as they are, and as people may read them. */
export interface ReadableLines {
  readonly digest: string;
  readonly open: Lines;
  /** Undefined: no lines. */
  readonly shown: Lines | undefined;
}

/**
 * Returns the part of a live state that people may read. If a line has drifted and should have no secret, it is shown
 * unchanged. Any other drifted line is hidden: its current value may be an earlier secret.
 */
export function hideLive(live: Live, { digest, open, shown }: ReadableLines): Pick<Live, "lines" | "drift"> {
  if (shown && live.digest === digest) return { lines: shown, drift: {} };
  if (!shown || !Object.keys(live.lines).every((label) => Object.hasOwn(shown, label) && Object.hasOwn(open, label))) return { lines: ALL_HIDDEN, drift: {} };
  const plain = (label: string) => Object.hasOwn(shown, label) && shown[label] === open[label];
  const hide = (lines: Lines) => Object.fromEntries(Object.entries(lines).map(([label, text]) => [label, plain(label) ? text : HIDDEN]));
  const known = Object.fromEntries(Object.entries(live.drift).filter(([label]) => Object.hasOwn(shown, label)));
  return { lines: hide(live.lines), drift: hide(known) };
}
