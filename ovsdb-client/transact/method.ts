import { ValueError } from "../errors";

/** They change what a connection is for: a client that does not know of it would go wrong, or lose it with the connection. */
const OWN: ReadonlyMap<string, string> = new Map([
  ["monitor", "monitor()"],
  ["monitor_cond", "monitor()"],
  ["monitor_cond_since", "monitor()"],
  ["monitor_cond_change", "Monitor.setWhere()"],
  ["monitor_cancel", "Monitor.cancel()"],
  ["lock", "lock()"],
  ["steal", "steal()"],
  ["unlock", "Lock.release()"],
  ["cancel", "an AbortSignal"],
  ["set_db_change_aware", "nothing: the client does it"],
]);

/** Throws a ValueError for a method that `OvsdbClient.call` can't do. */
export function checkMethod(method: string): void {
  if (typeof method !== "string" || !/^[A-Za-z_][\w.-]*$/.test(method))
    throw new ValueError("method", `${JSON.stringify(method) ?? typeof method} is not the name of a method`);
  const instead = OWN.get(method);
  if (instead !== undefined) throw new ValueError("method", `${method} belongs to the connection; use ${instead}`);
}
