import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errorsPage } from "./errors";
import { pages } from "./pages";

/** Writes docs/reference/errors.md and docs/reference/resources, and removes pages of deleted resources. Runs from `docs/generator/dist`. */
const main = async (): Promise<void> => {
  const root = join(__dirname, "../../..");
  const folder = join(root, "docs/reference/resources");
  await writeFile(join(root, "docs/reference/errors.md"), errorsPage(root));
  const made = await pages(root);
  await mkdir(folder, { recursive: true });
  for (const file of await readdir(folder)) if (!made.has(file)) await rm(join(folder, file));
  await Promise.all([...made].map(([file, text]) => writeFile(join(folder, file), text)));
  process.stderr.write(`docs/reference/resources: ${made.size} pages\n`);
};

void main();
