import { indexCells, page } from "./page";
import { firstSentence, paragraphs, table } from "./prose";
import { documentedClasses } from "./types";

/** Every generated page by its file name below `docs/reference/resources`. */
export async function pages(root: string): Promise<Map<string, string>> {
  const documents = documentedClasses(root);
  const found = new Map<string, string>();
  for (const document of documents) found.set(`${document.name}.md`, await page(document));
  const rows = documents.map((document) => indexCells(document, firstSentence(paragraphs(document.comment))));
  const head = "# Resources\n\nEverything that the package `pulumi-ovn` exports for stacks. These pages are made from the sources' comments: `npm run docs`.";
  found.set("README.md", `${head}\n\n${table(["class", "what it is", "written to"], rows)}\n`);
  return found;
}
