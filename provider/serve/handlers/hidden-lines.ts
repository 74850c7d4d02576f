import type { Lines, Live } from "../../backends/contract/backend";
import { HIDDEN } from "../../kit/text/hidden";

/** Stands for all lines, where it can't be told which of them show a secret or what derives from one. */
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
export interface Told {
  readonly digest: string;
  readonly open: Lines;
  /** undefined: none of them. */
  readonly shown: Lines | undefined;
}

/**
 * What people may read of a live state. Where it has drifted, a line that should say nothing secret is shown as it is, and
 * any other is hidden: what is there now may be a secret of before.
 */
export function hideLive(live: Live, { digest, open, shown }: Told): Pick<Live, "lines" | "drift"> {
  if (shown && live.digest === digest) return { lines: shown, drift: {} };
  if (!shown || !Object.keys(live.lines).every((label) => Object.hasOwn(shown, label) && Object.hasOwn(open, label))) return { lines: ALL_HIDDEN, drift: {} };
  const plain = (label: string) => Object.hasOwn(shown, label) && shown[label] === open[label];
  const hide = (lines: Lines) => Object.fromEntries(Object.entries(lines).map(([label, text]) => [label, plain(label) ? text : HIDDEN]));
  const known = Object.fromEntries(Object.entries(live.drift).filter(([label]) => Object.hasOwn(shown, label)));
  return { lines: hide(live.lines), drift: hide(known) };
}
