import type { OvsdbError } from "../errors";
import type { Call } from "../rpc/call";
import { Connection, type ConnectionHandlers, type ConnectionOptions } from "../rpc/connection";
import type { Endpoint } from "../transport/endpoint";
import type { Transport } from "../transport/transport";
import { ServerRow } from "./server";

export interface LinkEvents {
  notification(link: Link, method: string, params: readonly unknown[]): void;
  /** The server's word on the database has changed. */
  server(link: Link, schemaChanged: boolean): void;
  closed(link: Link, error: OvsdbError, calls: Call[]): void;
  idle(link: Link): void;
}

/** Not a JSON string, so it never equals a monitor's id of the caller. */
export const SERVER_MONITOR = ["_Server"];

/** A connection together with what its server says of the database. */
export class Link implements ConnectionHandlers {
  readonly connection: Connection;
  readonly server = new ServerRow();

  constructor(
    readonly endpoint: Endpoint,
    transport: Transport,
    options: ConnectionOptions,
    private readonly events: LinkEvents,
  ) {
    this.connection = new Connection(endpoint.text, transport, options, this);
  }

  notification(method: string, params: readonly unknown[]): void {
    if (method === "update2" && Array.isArray(params[0]) && params[0][0] === SERVER_MONITOR[0]) {
      this.events.server(this, this.server.apply(params[1]));
    } else {
      this.events.notification(this, method, params);
    }
  }

  closed(error: OvsdbError, calls: Call[]): void {
    this.events.closed(this, error, calls);
  }

  idle(): void {
    this.events.idle(this);
  }
}
