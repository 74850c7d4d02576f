import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands } from "../../../cli/commands";
import { usageOf } from "../../../cli/usage";

const path = join(__dirname, "../../../docs/reference/cli.md");

/** `UPDATE_DOCS=1` writes the usage of each command into the page. */
it("the page of the command line has the usage of every command", () => {
  const page = readFileSync(path, "utf8");
  const sections = page.split(/^(?=## `pulumi-ovn )/m);
  expect(sections.slice(1).map((section) => /^## `pulumi-ovn (\w+)`\n/.exec(section)?.[1])).toEqual(Object.keys(commands));
  const current = sections.map((section) =>
    section.replace(
      /^## `pulumi-ovn (\w+)`\n\n```text\n[^]*?```\n/,
      (_, name: string) => `## \`pulumi-ovn ${name}\`\n\n\`\`\`text\n${usageOf(name, commands[name]!)}\`\`\`\n`,
    ),
  );
  if (process.env.UPDATE_DOCS) writeFileSync(path, current.join(""));
  else expect(page).toBe(current.join(""));
});
