import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { median, ms, type Taken } from "../kit/measure";
import type { Result } from "../kit/report";
import { readsOf } from "./request-counts";

const run = promisify(execFile);
const ROUNDS = 5;

type Properties = Record<string, unknown>;

/** A resource of a cluster, as a stack and its program have it. */
export interface Previewed {
  readonly kind: string;
  readonly kubeconfig: string;
  readonly urn: string;
  readonly inputs: Properties;
  readonly outs: Properties;
  /** The program's arguments. */
  readonly news: Properties;
  readonly refresh: boolean;
}

/**
 * Measures previews without changes, each in its own process, which loads the package first, and their requests to the server.
 *
 * @param kinds whose requests are counted; the server itself requests others
 */
export async function previewResults(previewed: Omit<Previewed, "refresh">, kinds: readonly string[]): Promise<Result[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-preview-"));
  try {
    const results: Result[] = [];
    for (const refresh of [false, true]) {
      const file = join(folder, "resource.json");
      await writeFile(file, JSON.stringify({ ...previewed, refresh } satisfies Previewed));
      const before = await readsOf(previewed.kubeconfig);
      const taken: Taken[] = [];
      for (let round = 0; round < ROUNDS; round++)
        taken.push(JSON.parse((await run(process.execPath, [join(__dirname, "preview-child.js"), file])).stdout) as Taken);
      const after = await readsOf(previewed.kubeconfig);
      const what = refresh ? "preview with --refresh" : "preview";
      const [clock, processor] = [median(taken.map((one) => one.clock)), median(taken.map((one) => one.processor))];
      results.push({
        what: `${what}, processor time`,
        ours: `${ms(processor)} (clock ${ms(clock)})`,
        peer: "",
        ratio: "",
        goal: "at most 2 s",
        met: processor <= 2_000,
      });
      const counts = kinds.map((kind) => ((after.get(kind) ?? 0) - (before.get(kind) ?? 0)) / ROUNDS);
      results.push({
        what: `requests of a ${what}`,
        ours: kinds.map((kind, index) => `${kind} ${counts[index]}`).join(", "),
        peer: "",
        ratio: "",
        goal: "at most 1 for each kind",
        met: counts.every((count) => count <= 1),
      });
    }
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
