/** Receives progress messages. */
export type Report = (text: string) => void;

/** A duration for people: `85 ms`, `2.1 s`, `4 min 12 s`. */
export const duration = (milliseconds: number): string => {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 59_950) return `${(milliseconds / 1000).toFixed(1)} s`;
  const seconds = Math.round(milliseconds / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
};

/** Shows one step of a longer work, what it reports, and how long it took. */
export const step = async <T>(title: string, work: (report: Report) => Promise<T>, write: Report = (text) => process.stderr.write(text)): Promise<T> => {
  const started = performance.now();
  write(`> ${title}\n`);
  const result = await work((text) => write(`    ${text}\n`));
  write(`    done in ${duration(performance.now() - started)}\n`);
  return result;
};
