import { fstatSync } from "node:fs";

const LANGUAGE_HOST = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/;

/**
 * Ends a stack program whose engine was killed. Without it, the program reports to a closed standard error, the report fails, and the failure is
 * reported, at full load until memory is exhausted. Programs inside another program (Automation API) are not changed.
 */
export function endWithoutReader(program: string | undefined = process.argv[1], stderr: NodeJS.EventEmitter = process.stderr): void {
  if (program === undefined || !LANGUAGE_HOST.test(program)) return;
  stderr.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });
}

/**
 * For provider processes: one whose engine was killed would stay for good, connected to every zone. The engine holds the other end
 * of its standard input.
 * @param stop ends what is in progress, such as programs that run for a call
 */
export function endWithEngine(stop: () => Promise<void>): void {
  if (!isPipe(0)) return;
  process.stdin.on("end", () => void stop().finally(() => process.exit()));
  process.stdin.resume().unref();
}

function isPipe(descriptor: number): boolean {
  try {
    const status = fstatSync(descriptor);
    return status.isFIFO() || status.isSocket();
  } catch {
    return false;
  }
}
