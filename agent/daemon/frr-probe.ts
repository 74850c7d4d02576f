import type { Host } from "../host/host";

/** Milliseconds. */
const INTERVAL = 5_000;

/**
 * Calls `changed` when FRR's configuration differs from the result of the last scan. A reload of FRR removes lines that are in no file,
 * and neither the kernel nor the file system reports a reload.
 */
export function frrProbe(host: Pick<Host, "frrDiffers">, signal: AbortSignal, changed: () => void): void {
  let asking = false;
  const ask = async () => {
    if (asking) return;
    asking = true;
    // A scan of the host also reports that FRR can't be asked.
    const differs = await host.frrDiffers().catch(() => false);
    asking = false;
    if (differs && !signal.aborted) changed();
  };
  const timer = setInterval(() => void ask(), INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
