import { readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "../../../sandbox/pulumi-cli";

const read = (path: string) => readFileSync(join(projectRoot, path), "utf8");
const manifest = (folder: string) => JSON.parse(read(join(folder, "package.json"))) as { name: string; dependencies?: Record<string, string> };

/** The folders of a package and of all those of this repository that it needs. */
function needed(folder: string, folders: ReadonlyMap<string, string>, found = new Set<string>()): Set<string> {
  if (found.has(folder)) return found;
  found.add(folder);
  for (const name of Object.keys(manifest(folder).dependencies ?? {})) {
    const other = folders.get(name);
    if (other !== undefined) needed(other, folders, found);
  }
  return found;
}

it("has the first stack's packages packed, all that a stack needs: none of them is in a registry", () => {
  const { workspaces } = JSON.parse(read("package.json")) as { workspaces: string[] };
  const folders = new Map(workspaces.map((folder) => [manifest(folder).name, folder]));
  const [line = ""] = read("README.md")
    .split("\n")
    .filter((text) => text.includes("npm pack "));
  const packed = [...line.matchAll(/--workspace=(\S+)/g)].map(([, folder]) => folder!);
  expect(packed.sort()).toEqual([...needed("sdk", folders)].sort());
});
