import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const root = join(__dirname, "../../..");

test("npm test runs each of jest's projects once", () => {
  const url = pathToFileURL(join(root, "scripts/everything.mjs")).href;
  const runs = JSON.parse(
    execFileSync(process.execPath, [
      "--input-type=module",
      "-e",
      `import { EVERYTHING } from ${JSON.stringify(url)}; console.log(JSON.stringify(EVERYTHING))`,
    ]).toString(),
  ) as string[][];
  const { projects } = require(join(root, "jest.config.js")) as { projects: { displayName: string }[] };
  expect(runs.map(([option]) => option)).toEqual(runs.map(() => "--selectProjects"));
  expect(runs.flatMap((args) => args.slice(1).filter((word) => !word.startsWith("--"))).sort()).toEqual(projects.map(({ displayName }) => displayName).sort());
});
