import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sandbox } from "@pulumi-ovn/sandbox";

/** Files that explain why a host's FRR does not have its configuration, and how much of the end of each file is shown. */
const FILES: readonly (readonly [name: string, most: number])[] = [
  ["frr-k8s/.status", 100],
  ["frr-k8s/frr.conf", 6_000],
  ["frr-k8s/running-config", 6_000],
  ["reload.log", 3_000],
  ["frr-k8s-reloader.log", 1_000],
  ["frr-k8s-controller.log", 3_000],
  ["frr.log", 2_000],
];

/** Adds to a failure of the work, in a sandbox with frr-k8s, what every host's frr-k8s and FRR have, which goes with the sandbox. */
export async function explained<Result>(sandbox: Sandbox, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (sandbox.targets.clusters === undefined) throw error;
    const files = await Promise.all(
      sandbox.hosts.flatMap(({ name }) =>
        FILES.map(async ([file, most]) => {
          const text = await readFile(join(sandbox.folder, name, file), "utf8").catch(() => "(not there)\n");
          return `--- ${name}: ${file}\n${text.slice(-most)}`;
        }),
      ),
    );
    throw new Error(`${(error as Error).message}\n${files.join("\n")}`, { cause: error });
  }
}
