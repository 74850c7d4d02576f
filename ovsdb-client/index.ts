/** Every public name of the package. */
export { connect, OvsdbClient } from "./client";
export { Monitor, type ChangeOf, type MonitorListener } from "./monitor/monitor";
export type { MonitorMethod, MonitorTable, MonitorTables } from "./monitor/request";
export { RowIndex } from "./monitor/row-index";
export { TableCache } from "./monitor/cache";
export { CachedRow, type RowChange } from "./monitor/row";
export { Lock, type LockListener } from "./lock/lock";
export type { CallOptions, ClientOptions } from "./session/options";
export type {
  ClientListener,
  ConnectedEvent,
  ConnectionEvent,
  DisconnectedEvent,
  LeaderEvent,
  Problem,
  ResyncedEvent,
  UnreachableEvent,
} from "./session/events";
export type { BackoffOptions } from "./session/backoff";
export type { TlsFiles } from "./transport/tls";
export { describeEndpoint, parseEndpoints, type Endpoint } from "./transport/endpoint";
export type { OpenOptions, OpenTransport } from "./transport/open";
export type { Transport, TransportHandlers } from "./transport/transport";
export {
  AbortError,
  ConflictError,
  ConnectionError,
  TimeoutError,
  NotLeaderError,
  OperationError,
  OutcomeUnknownError,
  OvsdbError,
  ProtocolError,
  RpcError,
  SchemaError,
  StaleMemberError,
  ValueError,
  WrongClusterError,
} from "./errors";
export { endsWithProcess, killGroup } from "./process-group";
export { printable } from "./text";
export type * from "./wire";
export { Transaction, type Matched } from "./typed/transaction";
export type { Committed, TransactionOptions } from "./typed/commit";
export { InsertedRow } from "./typed/inserted";
export type * from "./typed/types";
export { generateTypes } from "./codegen/generate";
export type { OVN_Northbound } from "./databases/ovn-northbound";
export type { OVN_Southbound } from "./databases/ovn-southbound";
export type { Open_vSwitch } from "./databases/open-vswitch";
export type * from "./transact/operations";
export { NamedUuid, type Atom, type Row, type Value, type WritableAtom, type WritableValue } from "./values";
export { ColumnSchema } from "./schema/column";
export { DatabaseSchema, parseSchema } from "./schema/schema";
export { type Since, TableSchema } from "./schema/table";
export type { AtomicType, BaseType, ColumnType } from "./schema/types";
