import type { OvsdbError } from "../errors";
import { type Call, newCall } from "../rpc/call";
import { Connection, type ConnectionHandlers, type ConnectionOptions } from "../rpc/connection";
import type { Endpoint } from "../transport/endpoint";
import type { Transport } from "../transport/transport";
import { Again } from "./again";
import { ServerRow } from "./server";

export interface LinkEvents {
  notification(link: Link, method: string, params: readonly unknown[]): void;
  /** The server's word on the database has changed. */
  server(link: Link): void;
  /** The database was converted, or replaced by another one's contents. */
  converted(link: Link): void;
  closed(link: Link, error: OvsdbError, calls: Call[]): void;
  idle(link: Link): void;
}

/** Not a JSON string, so it never equals a monitor's id of the caller. */
export const SERVER_MONITOR = ["_Server"];
/**
 * A monitor of no table at all: the server cancels it when the database is converted. In `_Server` a conversion is
 * to be seen with clustered databases only (OVS 3.5).
 */
const SCHEMA_MONITOR = ["_Schema"];

/** A connection with its server's description of the database. */
export class Link implements ConnectionHandlers {
  readonly connection: Connection;
  readonly server = new ServerRow();
  /** See `OvsdbClient.peer`. */
  readonly peer: string | undefined;
  /** See `OvsdbClient.certificateExpiry`. */
  readonly certificateExpiry: Date | undefined;
  private readonly schemaWatch = new Again(() => {
    this.watchSchema();
    // Conversions during the delay are reported now.
    this.events.converted(this);
  });

  constructor(
    readonly endpoint: Endpoint,
    private readonly database: string,
    transport: Transport,
    options: ConnectionOptions,
    private readonly events: LinkEvents,
  ) {
    this.peer = transport.peer;
    this.certificateExpiry = transport.certificateExpiry;
    this.connection = new Connection(endpoint.text, transport, options, this);
  }

  /** Reports conversions from now on. Replies are ignored: old servers don't convert databases. */
  watchSchema(): void {
    const ignore = () => undefined;
    this.connection.send(newCall("monitor_cond", [this.database, SCHEMA_MONITOR, {}], "session", Infinity, { reply: ignore, fail: ignore }));
  }

  notification(method: string, params: readonly unknown[]): void {
    const [id] = Array.isArray(params[0]) ? params[0] : [];
    if (method === "update2" && id === SERVER_MONITOR[0]) {
      this.server.apply(params[1]);
      this.events.server(this);
    } else if (method === "monitor_canceled" && id === SCHEMA_MONITOR[0]) {
      if (!this.schemaWatch.do()) this.events.converted(this);
    } else {
      this.events.notification(this, method, params);
    }
  }

  closed(error: OvsdbError, calls: Call[]): void {
    this.schemaWatch.stop();
    this.events.closed(this, error, calls);
  }

  idle(): void {
    this.events.idle(this);
  }
}
