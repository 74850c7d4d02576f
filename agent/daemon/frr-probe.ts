import type { Host } from "../host/host";

/** Milliseconds. */
const INTERVAL = 5_000;

/** Tells when FRR is another than the host was last found to have: neither kernel nor file system tells of a reload, which takes out what no file has. */
export function frrProbe(host: Pick<Host, "frrDiffers">, signal: AbortSignal, changed: () => void): void {
  let asking = false;
  const ask = async () => {
    if (asking) return;
    asking = true;
    // That it can't be asked a look at the host says, too.
    const differs = await host.frrDiffers().catch(() => false);
    asking = false;
    if (differs && !signal.aborted) changed();
  };
  const timer = setInterval(() => void ask(), INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
