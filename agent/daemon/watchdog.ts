import { spawn } from "node:child_process";

/**
 * Notifies systemd that the event loop runs, three times in each period of the unit's WatchdogSec. Node has no datagram sockets of
 * the file system, so systemd-notify(1) sends. Without a watchdog it does nothing. (sd_watchdog_enabled(3))
 */
export function watchdog(env: NodeJS.ProcessEnv, signal: AbortSignal, log: (line: string) => void): void {
  const period = Number(env["WATCHDOG_USEC"]) / 1000;
  if (!env["NOTIFY_SOCKET"] || !(period > 0) || signal.aborted) return;
  let hasFailed = false;
  const beat = () => {
    const child = spawn("systemd-notify", ["WATCHDOG=1"], { stdio: "ignore", env });
    child.once("error", (error) => {
      if (!hasFailed) log(`systemd-notify can't be run, so systemd will restart the agent: ${error.message}`);
      hasFailed = true;
    });
  };
  beat();
  const timer = setInterval(beat, period / 3);
  signal.addEventListener("abort", () => clearInterval(timer), { once: true });
}
