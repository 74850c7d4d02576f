import { readFile } from "node:fs/promises";
import { canonical, digestOf } from "@pulumi-ovn/provider/tools";
import { z } from "zod";
import { CommandError } from "../command";
import { differenceOf } from "../diff/difference";
import { targetDifferences } from "../diff/model";
import { resourceLines, WHOLE } from "../diff/render/lines";
import { targetKind, targetName } from "./target";
import { withMembersOf } from "./plan";
import type { Preview, State } from "./preview";
import { changesOf, type ResourceChange } from "./steps";
import { whyUntold } from "./untold";

const change = z.strictObject({ urn: z.string(), operation: z.string(), digest: z.string() });

const savedPlan = z.strictObject({
  version: z.literal(1),
  project: z.string(),
  stack: z.string(),
  /** Digest of all changes. */
  digest: z.string(),
  changes: z.array(change),
  /** Rows, flows and objects that change, as `pulumi-ovn diff` prints them, with their target. */
  lines: z.array(z.string()),
});

/** A plan that a reviewer approves. */
export type SavedPlan = z.output<typeof savedPlan>;

/** The plan of a preview. Throws a CommandError if the preview does not determine all rows, flows and objects. */
export function savedPlanOf(preview: Preview): SavedPlan {
  const changed = changesOf(withMembersOf(preview.steps));
  const unknown = changed.flatMap(({ name, after }) => (after && ["unknown", "unobserved"].includes(whyUntold(after.inputs) ?? "") ? [name] : []));
  if (unknown.length > 0)
    throw new CommandError(
      "OVN_PLAN_UNKNOWN",
      `the preview does not know the rows of ${unknown.map((name) => JSON.stringify(name)).join(", ")}: they depend on resources that do not exist yet, or on a cluster that could not be read; create those resources by an earlier update, or preview again when the cluster answers`,
    );
  const changes = changed
    .map((each) => ({ urn: each.urn, operation: each.operation, digest: digestOfChange(each) }))
    .toSorted((a, b) => (a.urn < b.urn ? -1 : 1));
  const { project, stack } = differenceOf(preview);
  return { version: 1, project, stack, digest: digestOf(canonical(changes)), changes, lines: linesOf(preview) };
}

function linesOf(preview: Preview): string[] {
  return targetDifferences(differenceOf(preview)).flatMap(({ kind, name, resources }) =>
    resources.flatMap((resource) => {
      const [head, ...lines] = resourceLines(resource, kind, WHOLE);
      return lines.map(({ mark, depth, text }) => `${kind} ${name}: ${head!.text}: ${"  ".repeat(depth - 1)}${mark} ${text}`);
    }),
  );
}

function digestOfChange({ operation, before, after, replaceReasons }: ResourceChange): string {
  return digestOf(canonical([operation, replaceReasons, contentOf(before), contentOf(after)]));
}

/** Digest of rows, flows or objects and their target. A resource without a digest: its arguments. */
function contentOf(state: State | undefined): unknown {
  if (!state) return null;
  const { __provider: _provider, ...inputs } = state.inputs;
  const { digest = inputs.digest } = state.outputs ?? {};
  if (digest === undefined) return inputs;
  const kind = targetKind(state);
  return [kind, targetName(state, kind), digest];
}

/**
 * Lines for a person: what the plan has that the approved one lacks (`+`), and the reverse (`-`). Empty if they are the same plan. Lines count,
 * too: they are what a reviewer has read.
 */
export function differenceFrom(approved: SavedPlan, now: SavedPlan): string[] {
  const minus = (all: readonly string[], others: readonly string[]) => all.filter((line) => !others.includes(line));
  const changes = ({ changes: all }: SavedPlan) => all.map(({ urn, operation, digest }) => `${operation} ${urn} (${digest})`);
  const [lost, gained] = [minus(approved.lines, now.lines), minus(now.lines, approved.lines)];
  // Values that the lines do not show, such as secrets, or other resources.
  const silent = lost.length + gained.length === 0;
  const [before, after] = silent ? [minus(changes(approved), changes(now)), minus(changes(now), changes(approved))] : [lost, gained];
  const found = [...before.map((line) => `- ${line}`), ...after.map((line) => `+ ${line}`)];
  const isSame = approved.digest === now.digest && approved.stack === now.stack && approved.project === now.project;
  return found.length > 0 || isSame ? found : ["the digest, the stack or the project in the file was changed"];
}

export async function readSavedPlan(path: string): Promise<SavedPlan> {
  try {
    return savedPlan.parse(JSON.parse(await readFile(path, "utf8")));
  } catch (error) {
    const why = error instanceof z.ZodError ? `${error.issues[0]!.path.join(".")}: ${error.issues[0]!.message}` : (error as Error).message;
    throw new CommandError("OVN_PLAN", `can't read the plan ${path}: ${why}; "pulumi-ovn diff --save ${path}" writes it`);
  }
}
