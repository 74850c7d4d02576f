import { run } from "../host/program";

/** Milliseconds. */
const INTERVAL = 5_000;

/** Tells when FRR's bgpd has gone, come back, or has another configuration (a reload takes out what no file has), of which neither kernel nor file system tells. */
export function frrProbe(
  { command = [], vtysh = "vtysh" }: { readonly command?: readonly string[] | undefined; readonly vtysh?: string | undefined },
  signal: AbortSignal,
  changed: () => void,
): void {
  let before: string | null | undefined;
  const answers = () =>
    run({ command, timeout: 3, signal }, [vtysh, "-d", "bgpd", "-c", "show running-config"]).then(
      ({ status, stdout }) => (status === 0 ? stdout : null),
      () => null,
    );
  const timer = setInterval(() => {
    void answers().then((now) => {
      if (before !== undefined && now !== before && !signal.aborted) changed();
      before = now;
    });
  }, INTERVAL);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
