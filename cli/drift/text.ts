import { visible } from "@pulumi-ovn/provider/tools";
import { plural } from "../texts";
import { byTarget, type DriftedPart, type DriftReport, type Repair, partsOf, type Subject } from "./model";

const SIGNS: Readonly<Record<Repair, string>> = { add: "+", change: "~", remove: "-" };

const LEGEND = '"pulumi up --refresh" adds + rows, flows and objects again, changes ~ back, and removes -';

/** Pure. */
export function driftText(report: DriftReport): string {
  return `${[headline(report), ...targetTexts(report), ...notes(report)].join("\n\n")}\n`;
}

/** One sentence. */
export function headline({ project, stack, compared, drifted, failed }: DriftReport): string {
  const name = visible(stack === undefined ? "this state" : `${project}/${stack}`);
  const reached = compared - failed.length;
  if (drifted.length === 0) return `${name}: no drift in ${plural(reached, "resource")}`;
  return `${name}: ${plural(partsOf(drifted).length, "difference")} in ${drifted.length} of ${plural(reached, "resource")}`;
}

/** One text for each target: its name, then resources and their differences. */
export function targetTexts({ drifted }: DriftReport): string[] {
  return byTarget(drifted).map(([target, resources]) =>
    [visible(target), ...resources.flatMap((resource) => [`  ${titleOf(resource)}`, ...resource.parts.flatMap(partLines)])].join("\n"),
  );
}

function partLines({ label, difference, repair, writer }: DriftedPart): string[] {
  const line = `  ${SIGNS[repair]} ${visible(label)}: ${visible(difference)}`;
  return writer === undefined ? [line] : [line, `      written by ${visible(writer)}`];
}

function titleOf({ kind, name }: Subject): string {
  return visible(`${kind} ${name}`);
}

/** Notes about the meaning of the differences, and about parts that were not compared. */
export function notes({ drifted, skipped, failed }: DriftReport): string[] {
  return [
    ...failed.map((resource) => `! ${titleOf(resource)}: not compared: ${visible(resource.message)}`),
    ...skipped.map(
      (resource) => `- ${titleOf(resource)}: not compared, because its secret arguments are encrypted in the state; use "pulumi preview --refresh"`,
    ),
    ...(drifted.length > 0 ? [LEGEND] : []),
  ];
}
