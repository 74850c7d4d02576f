import { sharedOf, sharedPage } from "./properties";
import { indexCells, page } from "./page";
import { firstClause, paragraphs, table } from "./prose";
import { documentedClasses } from "./types";

/** Every generated page by its file name below `docs/reference/resources`. */
export async function pages(root: string): Promise<Map<string, string>> {
  const documents = documentedClasses(root);
  const shared = sharedOf(documents);
  const found = new Map([["shared.md", sharedPage(shared)]]);
  for (const document of documents) found.set(`${document.name}.md`, await page(document, shared));
  const rows = documents.map((document) => indexCells(document, firstClause(paragraphs(document.comment))));
  const head =
    "# Resources\n\nEvery class that the package `pulumi-ovn` exports for stacks, generated from the sources' comments by `npm run docs`. [Shared](shared.md) arguments, outputs and types have a page of their own.";
  found.set("README.md", `${head}\n\n${table(["class", "what it is", "written to"], rows)}\n`);
  return found;
}
