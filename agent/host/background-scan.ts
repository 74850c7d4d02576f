import type { HostState } from "@pulumi-ovn/provider/agent";
import type { ScanCache } from "./scan-cache";
import type { LiveHost } from "./live";

export interface BackgroundScanParts {
  readonly cache: ScanCache;
  readonly read: (desired: HostState) => Promise<LiveHost>;
  /** Runs work between two changes. */
  readonly inTurn: (work: () => void) => Promise<void>;
  /** Called when the scan confirms the cache, with the time of the first change during the scan, by performance.now(), if there is one. */
  readonly onConfirmed: (since: number | undefined) => void;
  /** Called when the scan contradicts the cache or fails. */
  readonly onContradicted: () => void;
}

/** Background scans of the host, one at a time. Changes neither wait for a scan nor end it. The result is used between two changes. */
export class BackgroundScan {
  #isScanning = false;

  constructor(private readonly parts: BackgroundScanParts) {}

  begin(desired: HostState): void {
    if (!this.#isScanning) void this.#scan(desired);
  }

  async #scan(desired: HostState): Promise<void> {
    const { cache, read, inTurn, onConfirmed, onContradicted } = this.parts;
    this.#isScanning = true;
    const scan = cache.begin(desired);
    try {
      const live = await read(desired);
      await inTurn(() => {
        const confirmed = cache.confirms(scan, live);
        if (confirmed === true) onConfirmed(scan.written.since);
        if (confirmed === false) onContradicted();
      });
    } catch {
      // The next scan reports the reason.
      onContradicted();
    } finally {
      cache.end(scan);
      this.#isScanning = false;
    }
  }
}
