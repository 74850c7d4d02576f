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

/** Time of a run, in milliseconds. */
export interface Taken {
  readonly clock: number;
  /** Processor time. Time of other programs does not count. */
  readonly processor: number;
}

/** Measures contenders in turns, so that all meet the same disturbances; medians of the rounds, in the contenders' order. */
export async function byTurns(rounds: number, contenders: readonly (() => Promise<Taken>)[]): Promise<Taken[]> {
  const measured = contenders.map((): Taken[] => []);
  for (let round = 0; round < rounds; round++) {
    for (const [index, contender] of contenders.entries()) measured[index]!.push(await contender());
  }
  return measured.map((all) => ({ clock: median(all.map(({ clock }) => clock)), processor: median(all.map(({ processor }) => processor)) }));
}

/** Ours and a peer's time by the clock, in turns. */
export async function inTurns(rounds: number, ours: () => Promise<number>, peer: () => Promise<number>): Promise<{ ours: number; peer: number }> {
  const clocked = (contender: () => Promise<number>) => async () => ({ clock: await contender(), processor: 0 });
  const [own, other] = (await byTurns(rounds, [clocked(ours), clocked(peer)])) as [Taken, Taken];
  return { ours: own.clock, peer: other.clock };
}

export const thousands = (value: number): string => Math.round(value).toLocaleString("en-US");
export const ms = (value: number): string => `${value < 10 ? value.toFixed(2) : value.toFixed(0)} ms`;
export const bothTimes = ({ processor, clock }: Taken): string => `${ms(processor)} (clock ${ms(clock)})`;
export const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(0)} MB`;
