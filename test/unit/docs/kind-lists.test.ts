import { readFileSync } from "node:fs";
import { join } from "node:path";
import { execFileSync } from "node:child_process";

const root = join(__dirname, "../../..");
const SCRIPT = 'import("./scripts/kinds.mjs").then(({ kindLists }) => console.log(JSON.stringify(kindLists(process.cwd()))))';

it("the lists of kinds and of classes are as `npm run docs` generates them", () => {
  const lists = JSON.parse(execFileSync(process.execPath, ["-e", SCRIPT], { cwd: root, encoding: "utf8" })) as Record<string, string>;
  expect(Object.keys(lists)).toEqual(["provider/kinds/table.ts", "sdk/resources/index.ts"]);
  for (const [path, text] of Object.entries(lists)) expect(readFileSync(join(root, path), "utf8")).toBe(text);
});
