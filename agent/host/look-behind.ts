import type { HostState } from "@pulumi-ovn/provider/agent";
import type { Known } from "./known";
import type { LiveHost } from "./live";

export interface LookBehindParts {
  readonly known: Known;
  readonly read: (desired: HostState) => Promise<LiveHost>;
  /** Runs work between two changes. */
  readonly inTurn: (work: () => void) => Promise<void>;
  /** All is as known, but for what was written since then, by performance.now(); undefined: all. */
  readonly seen: (since: number | undefined) => void;
  /** Something is not as known, or could not be read. */
  readonly differs: () => void;
}

/** Background scans of the host, one at a time. Changes neither wait for a scan nor end it. The result is used between two changes. */
export class LookBehind {
  #looking = false;

  constructor(private readonly parts: LookBehindParts) {}

  begin(desired: HostState): void {
    if (!this.#looking) void this.#look(desired);
  }

  async #look(desired: HostState): Promise<void> {
    const { known, read, inTurn, seen, differs } = this.parts;
    this.#looking = true;
    const look = known.begin(desired);
    try {
      const live = await read(desired);
      await inTurn(() => {
        const confirmed = known.confirms(look, live);
        if (confirmed === true) seen(look.meanwhile.since);
        if (confirmed === false) differs();
      });
    } catch {
      // The next scan reports the reason.
      differs();
    } finally {
      known.end(look);
      this.#looking = false;
    }
  }
}
