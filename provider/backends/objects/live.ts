import type { Live, Trace } from "../contract/backend";
import { outlookOf, type Outcome, type Outlook } from "../contract/outlook";
import { listed } from "../../kit/text/listed";
import { liveDigest } from "../../kit/digest";
import { type Difference, pathText } from "./plan/fields";
import { linesOf, objectSetDigest, scalar } from "./lines";
import { DIGEST_ANNOTATION, marked, ownerOf } from "./set/marks";
import type { ObjectSet } from "./set";
import type { Snapshot } from "./live/observe";
import { changesOf, isOwn } from "./plan";
import { identityOf, refOf, refText } from "../../targets/cluster/reference";
import { withDifferences } from "./live/shown";

/** Number of named fields per object. */
const MOST_FIELDS = 8;
/** Characters of a value. */
const LONGEST = 80;
/** Characters of a long value that are shown before its first difference. */
const CONTEXT = 20;

/** Live objects of a set in the form in which `check` shows the desired ones; undefined without a trace. Pure. */
export function liveState(wanted: ObjectSet, live: Snapshot, owner: string): Live | undefined {
  const drift: Record<string, string> = {};
  const traces: Record<string, Trace> = {};
  const shown = wanted.objects.map((object) => {
    const label = refText(refOf(object));
    const found = live.get(identityOf(refOf(object)));
    if (!found) {
      drift[label] = "missing";
      return { object, present: false };
    }
    if (!isOwn(found, { owner })) {
      drift[label] = `missing; one of this name ${ownerOf(found) === undefined ? "has no owner mark" : `belongs to ${ownerOf(found)}`}`;
      return { object, present: false };
    }
    const differences = changesOf(marked(object, owner), object, found).filter((difference) => !isDigest(difference));
    if (differences.length > 0) {
      drift[label] = textOf(differences);
      traces[label] = { writers: [...new Set(differences.flatMap(({ holders }) => holders.flatMap(({ manager }) => manager ?? [])))] };
    }
    return { object: withDifferences(object, differences), present: true };
  });
  const ids = new Set(wanted.objects.map((object) => identityOf(refOf(object))));
  const surplus = [...live].filter(([id, object]) => !ids.has(id) && isOwn(object, { owner })).map(([, object]) => refText(refOf(object)));
  for (const label of surplus) drift[label] = "surplus";
  // An empty set is always present.
  if (shown.length > 0 && shown.every(({ present }) => !present) && surplus.length === 0) return undefined;
  return {
    lines: linesOf(shown),
    digest: liveDigest(objectSetDigest(wanted), drift),
    drift,
    traces,
  };
}

/** Differences of objects that are adopted, for the preview. Pure. */
export function adoptionOf(wanted: ObjectSet, live: Snapshot, owner: string): Outlook {
  return outlookOf(
    wanted.objects.map((object): Outcome => {
      const found = live.get(identityOf(refOf(object)));
      return [refText(refOf(object)), found ? outcomeOf(changesOf(marked(object, owner), object, found)) : "added"];
    }),
  );
}

function outcomeOf(differences: readonly Difference[]): Outcome[1] {
  const own = differences.filter((difference) => !isMark(difference));
  if (own.length === 0) return "adopted";
  const words = own.map(({ path, found, wanted }) => {
    const [before, after] = context(plainText(found), plainText(wanted));
    const word = (value: unknown, text: string) =>
      value === undefined ? [] : [`${pathText(path)}=${text === plainText(value) ? scalar(value) : scalar(text)}`];
    return { before: word(found, before), after: word(wanted, after) };
  });
  return { before: words.flatMap(({ before }) => before).join(" "), after: words.flatMap(({ after }) => after).join(" ") };
}

/** The digest differs after an interrupted update, whose other differences are shown. */
function isDigest({ path }: Difference): boolean {
  return path.at(-1) === DIGEST_ANNOTATION;
}

/** Our own labels and annotations, which every object has. */
function isMark({ path }: Difference): boolean {
  return path[0] === "metadata" && String(path[2] ?? "").startsWith("pulumi-ovn/");
}

/** `spec.asn=64512 instead of 64513` */
function textOf(differences: readonly Difference[]): string {
  const texts = differences.map(({ path, wanted, found }) => {
    if (found === undefined) return `${pathText(path)} is missing`;
    const [is, should] = context(scalar(found), wanted === undefined ? "nothing" : scalar(wanted));
    return `${pathText(path)}=${is} instead of ${should}`;
  });
  return listed(texts, MOST_FIELDS);
}

/** Cut before it is quoted, a text stays one word. */
function plainText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}

/** Cuts two long texts to the part where they differ. */
function context(left: string, right: string): [string, string] {
  let same = 0;
  while (same < left.length && left[same] === right[same]) same++;
  const from = same < LONGEST / 2 ? 0 : same - CONTEXT;
  return [cut(left, from), cut(right, from)];
}

function cut(text: string, from: number): string {
  if (text.length <= LONGEST) return text;
  const [start, end] = [from > 0 ? "..." : "", text.length - from > LONGEST ? "..." : ""];
  return `${start}${text.slice(from, from + LONGEST - start.length - end.length)}${end}`;
}
