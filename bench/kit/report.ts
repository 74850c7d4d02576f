import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { projectRoot } from "@pulumi-ovn/sandbox/dist/kit/project-root";

/** One line of a benchmark's table: ours and a peer's, measured in the same run. */
export interface Result {
  readonly what: string;
  readonly ours: string;
  readonly peer: string;
  /** Ratio of ours to the peer's; the goal shows which direction is better. */
  readonly ratio: string;
  readonly goal: string;
  readonly met: boolean;
}

export interface Benchmark {
  readonly name: string;
  readonly title: string;
  /** How it is measured, for the reader of the table. */
  readonly method: string;
  run(): Promise<Result[]>;
}

const HEADER = "what | ours | peer | ratio | goal\n---|---|---|---|---";

export function table(results: readonly Result[]): string {
  const rows = results.map(({ what, ours, peer, ratio, goal, met }) => `${what} | ${ours} | ${peer} | ${ratio} | ${goal}${met ? "" : " (not met)"}`);
  return [HEADER, ...rows].join("\n");
}

const PAGE = join(projectRoot, "bench/results.md");

/**
 * Replaces this benchmark's part of the page; the others stay as they were last measured.
 *
 * @param load the machine's load average of a minute, before and after
 */
export async function keep({ name, title, method }: Benchmark, results: readonly Result[], load: readonly [number, number]): Promise<void> {
  const [start, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const part = `${start}\n## ${title} (\`npm run bench ${name}\`)\n\n${method}\n\nLoad: ${load[0].toFixed(1)} before, ${load[1].toFixed(1)} after.\n\n${table(results)}\n${end}`;
  const text = await readFile(PAGE, "utf8");
  const from = text.indexOf(start);
  const page = from < 0 ? `${text.trimEnd()}\n\n${part}\n` : text.slice(0, from) + part + text.slice(text.indexOf(end) + end.length);
  await writeFile(PAGE, page);
}
