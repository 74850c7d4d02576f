import { digestOf } from "../../../kit/digest";
import { byTable } from "./by-table";
import { rowTexts } from "./texts";
import type { RowSet } from "../set";
import { contributionLines } from "./contributions";

/** Equal for equal row sets, in any order of rows, sets and maps. */
export function setDigest(set: RowSet): string {
  const parts: string[] = [];
  for (const rows of byTable(rowTexts(set.rows))) for (const { json } of rows) parts.push(json);
  for (const line of contributionLines(set)) parts.push(JSON.stringify(line));
  return digestOf(`${set.database}\n${parts.sort().join("\n")}`);
}
