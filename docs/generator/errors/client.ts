import type { Entries } from "./types";

/** Codes of the OVSDB client. */
export const clientCodes: Entries = {
  OVSDB_ABORTED: ["", ""],
  OVSDB_CONFLICT: ["A `transaction()` failed its verification at every attempt.", "Read again, or allow more `attempts`."],
  OVSDB_CONNECTION: ["No connection: refused, no socket, TLS failure, an ended `exec:` program, or no cluster leader.", "Try `ovn-nbctl --db=ENDPOINT show`."],
  OVSDB_OPERATION: ["The server refused an operation.", ""],
  OVSDB_OUTCOME_UNKNOWN: ["A write had no reply, or the server cancelled it. It may be committed.", "Run `pulumi up` again."],
  OVSDB_PROTOCOL: ["The peer does not speak RFC 7047.", "Check the endpoint. An `exec:` program must print nothing else."],
  OVSDB_RPC: ["The server refused the request, for example `unknown database`.", "Check which database the endpoint serves."],
  OVSDB_SCHEMA: ["The database lacks the table or column.", "The message names the release that has it, if known."],
  OVSDB_TIMEOUT: ["A read had no answer within the zone's `timeout` (30 s).", ""],
  OVSDB_VALUE: ["", ""],
};
