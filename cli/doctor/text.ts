import { visible } from "@pulumi-ovn/provider/tools";
import { plural } from "../texts";
import type { Finding } from "./finding";

const COLOURS: Readonly<Record<Finding["state"], number | undefined>> = { ok: undefined, note: 33, problem: 31 };
const MARKS: Readonly<Record<Finding["state"], string>> = { ok: " ", note: "-", problem: "!" };

/** Pure. A line for each finding, and one that counts. */
export function doctorText(findings: readonly Finding[], colours: boolean): string {
  const cells = findings.map(({ target, name, subject }) => [visible(`${target} ${name}`), subject] as const);
  const widths = [0, 1].map((column) => Math.max(0, ...cells.map((each) => each[column]!.length)));
  const lines = findings.map(({ state, message, advice }, index) => {
    const [target, subject] = cells[index]!;
    const text = visible(advice === undefined ? message : `${message}; ${advice}`);
    const line = `${MARKS[state]} ${target.padEnd(widths[0]!)}  ${subject.padEnd(widths[1]!)}  ${text}`;
    return colours && COLOURS[state] !== undefined ? `\u001b[${COLOURS[state]}m${line}\u001b[0m` : line;
  });
  return `${[...lines, `${plural(new Set(cells.map(([target]) => target)).size, "target")}, ${plural(problemsIn(findings), "problem")}`].join("\n")}\n`;
}

/** Pure. */
export function doctorJson(findings: readonly Finding[]): unknown {
  return { version: 1, problems: problemsIn(findings), findings };
}

export function problemsIn(findings: readonly Finding[]): number {
  return findings.filter(({ state }) => state === "problem").length;
}
