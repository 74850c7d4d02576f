import { fstatSync } from "node:fs";

const LANGUAGE_HOST = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/]run[\\/]/;

/**
 * For stack programs. One whose engine was killed reports that on a standard error that nobody reads, the report fails, the
 * failure is reported: the process runs at full load and grows until memory is out. A listener ends that, and the program ends
 * by itself. Programs that are part of another one (Automation API) are left alone.
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
