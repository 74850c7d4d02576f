import { run } from "../host/program";

/** Milliseconds. */
const INTERVAL = 5_000;

/** Tells when FRR's bgpd has gone or come back, which may happen without a trace in the kernel or the file system. */
export function frrProbe({ command = [], vtysh = "vtysh" }: { readonly command?: readonly string[] | undefined; readonly vtysh?: string | undefined }, signal: AbortSignal, changed: () => void): void {
  let before: boolean | undefined;
  const answers = () => run({ command, timeout: 3, signal }, [vtysh, "-d", "bgpd", "-c", "show version"]).then(({ status }) => status === 0, () => false);
  const timer = setInterval(() => {
    void answers().then((now) => {
      if (before !== undefined && now !== before && !signal.aborted) changed();
      before = now;
    });
  }, INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
