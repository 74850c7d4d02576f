/** The middle one of several measurements: a disturbed one does not count. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}

/** Milliseconds that one run takes. */
export async function timed(run: () => unknown): Promise<number> {
  const start = performance.now();
  await run();
  return performance.now() - start;
}

/** Measures two contenders in turns, so that both meet the same disturbances; medians of the rounds. */
export async function inTurns(rounds: number, ours: () => Promise<number>, peer: () => Promise<number>): Promise<{ ours: number; peer: number }> {
  const measured: [number, number][] = [];
  for (let round = 0; round < rounds; round++) measured.push([await ours(), await peer()]);
  return { ours: median(measured.map(([value]) => value)), peer: median(measured.map(([, value]) => value)) };
}

export const thousands = (value: number): string => Math.round(value).toLocaleString("en-US");
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
