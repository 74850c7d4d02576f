import type { Connection } from "../rpc/connection";

/** Whether a connection keeps the process alive: with the option `unref`, only while calls are open on it. */
export class Hold {
  private held = true;

  constructor(private readonly unref: boolean) {}

  /** Another connection: a new one keeps the process alive. */
  begin(): void {
    this.held = true;
  }

  hold(connection: Connection): void {
    if (!this.unref || this.held) return;
    this.held = true;
    connection.ref();
  }

  release(connection: Connection): void {
    if (!this.unref || !this.held) return;
    this.held = false;
    connection.unref();
  }
}
