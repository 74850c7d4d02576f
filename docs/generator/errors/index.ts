import { join } from "node:path";
import { agentCodes } from "./agent";
import { argumentCodes } from "./arguments";
import { clientCodes } from "./client";
import { commandCodes } from "./commands";
import { hostCodes } from "./hosts";
import { objectCodes } from "./objects";
import { programCodes } from "./program";
import { rowCodes } from "./rows";
import { sandboxCodes } from "./sandbox";
import { codesBelow } from "./scan";
import type { Entry, Group } from "./types";
import { warningCodes } from "./warnings";

const HEAD = `# Errors

Look up a code here: its cause, then what to do. Codes are stable, texts are not.

An error is one line: code, resource, zone, endpoint, row, and what to do:

\`\`\`
OVN_CLAIMED: Layer2Switch "other" in zone "node1" (unix:/run/ovn/ovnnb_db.sock): Logical_Switch other:
other_config:requested-tnl-key=16715779 is held by Logical_Switch "blue_ovn_layer2_switch"
(1ebb372e-44c0-854e-a0fc-14e0a2b26096) of urn:pulumi:sandbox::...::blue-switch-node1; choose another value, or remove that row
\`\`\``;

/** Folders whose codes share one namespace. */
const PRODUCT = ["ovsdb-client", "provider", "agent", "sdk", "cli"];

const GROUPS: readonly Group[] = [
  {
    title: "Arguments",
    intro:
      "`pulumi preview` reports all of these together, each with the argument's path and the code: `property subnets[0] value {10.0.0.1/16} has a problem: ... [host-bits]`. Codes of the schema library: invalid_format, invalid_value, too_small, too_big, invalid_key, invalid_type.",
    folders: PRODUCT,
    entries: argumentCodes,
  },
  { title: "Programs", intro: "The program stops before the resource is registered. Nothing is written.", folders: PRODUCT, entries: programCodes },
  {
    title: "Warnings",
    intro: "Preview and update show a warning when a change affects workloads. The update continues.",
    folders: PRODUCT,
    entries: warningCodes,
  },
  {
    title: "Operations",
    intro: "After these errors none of the resource's rows has changed, except for `OVSDB_OUTCOME_UNKNOWN` and sets of more than 1000 rows.",
    folders: PRODUCT,
    entries: rowCodes,
  },
  { title: "Hosts", intro: "", folders: PRODUCT, entries: hostCodes },
  { title: "Clusters", intro: "Objects that were written stay.", folders: PRODUCT, entries: objectCodes },
  { title: "OVSDB client", intro: "Nothing was written, except for `OVSDB_OUTCOME_UNKNOWN`.", folders: PRODUCT, entries: clientCodes },
  { title: "The command line", intro: "Errors of `npx --no-install pulumi-ovn COMMAND`. Nothing was written.", folders: PRODUCT, entries: commandCodes },
  {
    title: "The BGP agent",
    intro: "Problems that [the agent](../how-to/bgp-agent.md)'s health endpoint shows until they are resolved.",
    folders: PRODUCT,
    entries: agentCodes,
  },
  { title: "The sandbox", intro: "Errors of `npm run quickstart` and `npm run sandbox`.", folders: ["sandbox"], entries: sandboxCodes },
];

function line([code, [cause, remedy]]: [string, Entry]): string {
  return `- \`${code}\`: ${cause}${remedy && ` ${remedy}`}`;
}

function section({ title, intro, entries }: Group): string {
  const described = Object.entries(entries).filter(([, [cause]]) => cause);
  const others = Object.entries(entries).filter(([, [cause]]) => !cause);
  const last = others.length === 0 ? "" : `The message suffices: ${others.map(([code]) => `\`${code}\``).join(", ")}.`;
  return [`## ${title}`, intro, described.map(line).join("\n"), last].filter(Boolean).join("\n\n");
}

/** Differences between the documented codes and the codes in the sources; empty if both are equal. */
export function codeDifferences(root: string, groups: readonly Group[] = GROUPS): string[] {
  const byFolders = Map.groupBy(groups, ({ folders }) => folders.join());
  return [...byFolders.values()].flatMap((same) => {
    const documented = new Set(same.flatMap(({ entries }) => Object.keys(entries)));
    // The schema library's "custom" means that a code of this package follows.
    const thrown = new Set(codesBelow(same[0]!.folders.map((folder) => join(root, folder))).filter((code) => code !== "custom"));
    return [
      ...[...thrown].filter((code) => !documented.has(code)).map((code) => `no entry: ${code}`),
      ...[...documented].filter((code) => !thrown.has(code)).map((code) => `no source: ${code}`),
    ];
  });
}

/** The page docs/reference/errors.md. Throws if a code has no entry, or an entry has no code. */
export function errorsPage(root: string): string {
  const differences = codeDifferences(root);
  if (differences.length > 0) throw new Error(`docs/generator/errors differs from the sources: ${differences.join(", ")}`);
  return `${[HEAD, ...GROUPS.map(section)].join("\n\n")}\n`;
}
