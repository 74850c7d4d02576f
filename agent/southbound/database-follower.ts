import { Connection, type ConnectionOptions, type View } from "./connection";

/** A database whose endpoint may become another one: then a connection replaces the one before. */
export class DatabaseFollower<V extends View> {
  private now: { readonly endpoint: string; readonly connection: Connection<V> } | undefined;
  private readonly closing: Promise<void>[] = [];

  constructor(private readonly options: Omit<ConnectionOptions<V>, "endpoint">) {}

  get connection(): Connection<V> | undefined {
    return this.now?.connection;
  }

  /** @param endpoint undefined: to nowhere */
  to(endpoint: string | undefined): void {
    if (endpoint === this.now?.endpoint) return;
    if (this.now) this.closing.push(this.now.connection.close());
    this.now = endpoint === undefined ? undefined : { endpoint, connection: new Connection({ ...this.options, endpoint }) };
  }

  async close(): Promise<void> {
    this.to(undefined);
    await Promise.all(this.closing);
  }
}
