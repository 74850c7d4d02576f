import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { binaries } from "@pulumi-ovn/sandbox";

/** Writes a folder with ovsdb-client, which timers on hosts need. Returns the path with this folder first. */
export async function pathWithClient(folder: string, path = process.env.PATH): Promise<string> {
  await mkdir(folder, { recursive: true });
  const { file, args } = (await binaries()).command("ovsdb-client", []);
  await writeFile(join(folder, "ovsdb-client"), `#!/bin/sh\nexec ${[file, ...args].join(" ")} "$@"\n`, { mode: 0o755 });
  return `${folder}:${path}`;
}
