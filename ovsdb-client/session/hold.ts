import type { Connection } from "../rpc/connection";

/** Whether a connection keeps the process alive: with the option `unref`, only while calls are open on it. */
export class Hold {
  private isHeld = true;

  constructor(private readonly unref: boolean) {}

  /** Another connection: a new one keeps the process alive. */
  begin(): void {
    this.isHeld = true;
  }

  hold(connection: Connection): void {
    if (!this.unref || this.isHeld) return;
    this.isHeld = true;
    connection.ref();
  }

  release(connection: Connection): void {
    if (!this.unref || !this.isHeld) return;
    this.isHeld = false;
    connection.unref();
  }
}
