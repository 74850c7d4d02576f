import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { commands, usageOf } from "@pulumi-ovn/cli/testing";

const path = join(__dirname, "../../../docs/reference/cli.md");

/** Usage of a command as the page shows it: its summary, and options that the page does not describe once for all commands. */
function ownUsage(name: string): string {
  const command = commands[name]!;
  const options = Object.entries(command.options).filter(([option, { help }]) => !(COMMON.includes(option) && page.includes(`\`--${option}\`: ${help}`)));
  return usageOf(name, {
    ...command,
    about: command.summary,
    notes: COMMON_NOTES.reduce((notes, pattern) => notes.replace(pattern, ""), command.notes.replace(/;?\s+129, 130, 143:[^;.]*/g, "")).trim(),
    options: Object.fromEntries(options),
  });
}

const COMMON = ["stack", "cwd", "json", "state", "timeout"];

/** Notes that the page has once for all commands. */
const COMMON_NOTES = [/^There is no --json: the exit code has the result\.\n*/m, /^Exit code: 0 done; 1 failed; 2 usage error\.\n*/m];
const page = readFileSync(path, "utf8");

/** `UPDATE_DOCS=1` writes the usage of each command into the page. */
it("the page of the command line has the usage of every command", () => {
  const sections = page.split(/^(?=## `pulumi-ovn )/m);
  expect(sections.slice(1).map((section) => /^## `pulumi-ovn (\w+)`\n/.exec(section)?.[1])).toEqual(Object.keys(commands));
  const current = sections.map((section) =>
    section.replace(/^## `pulumi-ovn (\w+)`\n\n```text\n[^]*?```\n/, (_, name: string) => `## \`pulumi-ovn ${name}\`\n\n\`\`\`text\n${ownUsage(name)}\`\`\`\n`),
  );
  if (process.env.UPDATE_DOCS) writeFileSync(path, current.join(""));
  else expect(page).toBe(current.join(""));
});
