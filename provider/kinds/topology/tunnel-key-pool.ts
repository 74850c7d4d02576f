import { z } from "zod";
import { DATAPATH_KEYS, POOL_DATAPATH_KEYS } from "../../kit/address";
import { byName, datapathKey, schemaOf } from "./fields";
import { allocate } from "./keys";

/** Tunnel keys by owner. (OKEP-5094, "Tunnel keys", option 3) */
export interface TunnelKeyPoolArgs {
  /** Number of keys by owner; a layer-2 network needs two, for switch and transit router. */
  owners: Record<string, number>;
  /** Range that new keys come from, both ends included. Default: 16715779 to 16777215, above the legacy range of ovn-kubernetes. */
  range?: { first: number; last: number };
  /** Keys that owners have from elsewhere, in order: legacy keys, or ones that another tool gave. Default: none. */
  fixed?: Record<string, number[]>;
}

const MOST = DATAPATH_KEYS.last;

export const tunnelKeyPoolSchema = schemaOf<TunnelKeyPoolArgs>()(
  z.strictObject({
    owners: byName(z.int().min(1, "must be at least 1").max(MOST)),
    range: z
      .strictObject({ first: datapathKey, last: datapathKey })
      .refine(({ first, last }) => first <= last, { error: "first is after last", params: { code: "out-of-range" } })
      .default(POOL_DATAPATH_KEYS),
    fixed: byName(z.array(datapathKey)).default({}),
  }),
);

/** Assigns keys to every owner; `assigned` are those of previous calls. Throws ArgumentError when the range is used up. */
export function allocateTunnelKeys(
  { owners, range, fixed }: z.output<typeof tunnelKeyPoolSchema>,
  assigned: Record<string, number[]>,
): Record<string, number[]> {
  return allocate({ assigned: { ...assigned, ...fixed }, counts: owners, range });
}
