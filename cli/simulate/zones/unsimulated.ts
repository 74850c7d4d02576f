import { zoneRows } from "../../zone-rows";
import type { ZoneFacts } from "./facts";
import { datapathsOf, namesOf } from "./flows";
import type { Shadow } from "../shadow/shadow";
import type { Path, Step } from "../types";
import type { Undecided } from "./undecided";

/** Symbols whose values in a trace are not those on a chassis. (ovn-sb(5), Logical_Flow match) */
const SYMBOLS = /\bct_(?:state|mark|label)\b|\bvlan\.tci\b|\bflags\b(?!\.)|\bis_chassis_resident\b|\b[01]\s*[!=]=\s*ct\./;

const SOUTHBOUND = {
  Datapath_Binding: ["_uuid", "external_ids"],
  Logical_DP_Group: ["_uuid", "datapaths"],
  Logical_Flow: ["logical_datapath", "logical_dp_group", "pipeline", "table_id", "priority", "match"],
} as const;

/** ACLs and policies with a match that ovn-trace(8) can't evaluate as a chassis does. */
export async function readUnsimulated({ connections, zone }: Shadow, { matches }: Pick<ZoneFacts, "matches">): Promise<Undecided[]> {
  const own = [...new Set(matches)].filter((match) => SYMBOLS.test(match.replaceAll(/"(?:[^"\\]|\\.)*"/g, "")));
  if (own.length === 0) return [];
  const south = await zoneRows(connections, zone, "OVN_Southbound", SOUTHBOUND);
  const names = namesOf(south);
  return south.Logical_Flow.flatMap((row) => {
    const match = own.find((each) => (row.match as string).includes(each));
    if (match === undefined) return [];
    const location = { zone, pipeline: row.pipeline as string, table: row.table_id as number, priority: row.priority as number };
    return datapathsOf(row, names).map((datapath) => undecidedAt({ ...location, datapath }, `the match ${match} depends on state of a chassis`));
  });
}

type Place = Pick<Step, "zone" | "datapath" | "table" | "priority"> & { readonly pipeline: string };

function undecidedAt({ zone, datapath, pipeline, table, priority }: Place, why: string): Undecided {
  /** ovn-trace does not print a table in which the packet only continues to the next one. */
  const passes = ({ steps }: Pick<Path, "steps">) => {
    const own = steps.filter((step) => step.zone === zone && step.datapath === datapath && step.pipeline === pipeline && step.table >= table);
    return own.length > 0 && !own.some((step) => step.table === table && step.priority > priority);
  };
  return { isMet: passes, why, isOpen: () => true };
}
