import { kindOfType } from "@pulumi-ovn/provider";
import type { DataBox, DataFact, DataResource, DataSide, PageData } from "../client/data";
import type { ComparedBox, ComparedScene, Status } from "../compare";
import { bytesOf } from "../../diff/sizes";
import type { FoldedScene } from "../fold";
import type { PicturedResource } from "../model/scene";
import { objectOf } from "../model/values";
import type { Pictured } from "../resources";

/** Bytes of a page's JSON without the names of resources: a page has at most 2 MB. */
const ROOM = 1_650_000;
/** Bytes of JSON that a page has for arguments and for rows of resources. */
const MOST = { arguments: 700_000, rows: 300_000 };

const STATUSES: Readonly<Record<Status, string>> = {
  same: "",
  added: "added",
  removed: "removed",
  changed: "changed",
  moved: "moved here",
  left: "moves away",
};
const SIGNS = { same: "", added: "+", removed: "-" } as const;

/** Data of a page: every box, folded or not, and the resources that the boxes come from. */
export function pageData({ before = [], after }: Pictured, scene: ComparedScene, folded: FoldedScene): PageData {
  const fold = new Map(folded.boxes.flatMap(({ id, represented }) => represented.map((own) => [own, id] as const)));
  const used = new Set(scene.boxes.flatMap(({ sources }) => sources.map(({ urn }) => urn)));
  const index = new Map([...used].map((urn, position) => [urn, position]));
  const titles = new Map(scene.columns.map(({ id, title }) => [id, title]));
  const boxes = scene.boxes.map((box) => boxOf(box, titles, fold, index));
  const [left, right] = [before, after].map((side) => new Map(side.map((resource) => [resource.urn, resource])));
  const free = Math.max(0, ROOM - bytesOf(JSON.stringify(boxes)));
  const room = { arguments: Math.min(MOST.arguments, 0.7 * free), rows: Math.min(MOST.rows, 0.3 * free) };
  const resources = [...used].map((urn): DataResource => {
    const [one, other] = [left!.get(urn), right!.get(urn)];
    return {
      name: urn.split("::").slice(3).join("::"),
      kind: kindOfType((other ?? one)?.type ?? ""),
      ...(one && { before: sideOf(one, room) }),
      ...(other && { after: sideOf(other, room) }),
    };
  });
  return { boxes, resources };
}

function boxOf(
  { id, title, column, status, facts, sources }: ComparedBox,
  titles: ReadonlyMap<string, string>,
  fold: ReadonlyMap<string, string>,
  index: ReadonlyMap<string, number>,
): DataBox {
  return {
    id,
    title,
    column: column === undefined ? "" : (titles.get(column) ?? column),
    status: STATUSES[status],
    facts: facts.map((fact): DataFact => [fact.name, fact.value, SIGNS[fact.status]]),
    fold: fold.get(id) ?? "",
    sources: sources.slice(0, MOST_SOURCES).map((source) => [index.get(source.urn)!, source.arguments]),
  };
}

/** A thing that spans hundreds of zones has equal resources in all of them. */
const MOST_SOURCES = 20;

/** Properties that are not arguments. */
const OTHER: ReadonlySet<string> = new Set(["__provider", "owner", "redact", "rows", "digest", "lists"]);

function sideOf({ inputs }: PicturedResource, room: Record<keyof typeof MOST, number>): DataSide {
  const given = Object.fromEntries(Object.entries(inputs).filter(([name]) => !OTHER.has(name)));
  const rows = Object.fromEntries(Object.entries(objectOf(inputs["rows"])).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  const fits = (value: object, kind: keyof typeof room) => {
    const size = bytesOf(JSON.stringify(value));
    if (size > room[kind]) return false;
    room[kind] -= size;
    return true;
  };
  return { ...(fits(given, "arguments") && { arguments: given }), ...(fits(rows, "rows") && { rows }) };
}
