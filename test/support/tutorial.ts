import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";

/** A command of a page, and the lines of output that the page shows for it. */
export interface Step {
  readonly command: string;
  readonly shown: readonly string[];
}

/** Commands of a page (lines indented by four spaces), in order, each with the output fence that follows it. */
function stepsOf(page: string): Step[] {
  const steps: { command: string; shown: string[] }[] = [];
  for (const [block] of page.matchAll(/^```\n[^]*?^```$|^ {4}\S.*$/gm)) {
    if (!block.startsWith("```")) steps.push({ command: block.trim(), shown: [] });
    else
      steps.at(-1)!.shown.push(
        ...block
          .split("\n")
          .slice(1, -1)
          .map((line) => line.trim())
          .filter(Boolean),
      );
  }
  return steps;
}

/** Whether an output contains a shown line. Numbers, paths and the width of white space may differ. */
export function hasShape(output: string, line: string): boolean {
  const literal = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const pattern = line.split(/(unix:\S+|\b\d+(?:\.\d+)*(?=\.|\b)|\s+)/).map((part) => {
    if (/^\s+$/.test(part)) return "\\s+";
    if (part.startsWith("unix:")) return "unix:\\S+";
    // Counts of packets and percentages are the point of an output; releases and versions are not.
    return /^\d+\.\d/.test(part) ? "[\\d.]+" : literal(part);
  });
  return new RegExp(pattern.join("")).test(output);
}

/** Runs the commands of a page in one shell, as if pasted line by line; returns the output of each. A command without shown output must succeed. */
export async function runPage(path: string, cwd: string, env: NodeJS.ProcessEnv): Promise<(Step & { readonly output: string })[]> {
  const steps = stepsOf(await readFile(path, "utf8"));
  const mark = "---END-OF-COMMAND---";
  // Each command gets an empty input, so that it can't read the commands after it.
  const script = steps.map(({ command }) => `{\n${command}\n} < /dev/null\necho "${mark} $?"`).join("\n");
  const shell = spawn("bash", ["-s"], { cwd, env, stdio: ["pipe", "pipe", "pipe"] });
  let output = "";
  shell.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  shell.stdin.end(`exec 2>&1\n${script}\n`);
  await new Promise<void>((resolve) => shell.on("close", () => resolve()));
  const parts = [...output.matchAll(new RegExp(`([^]*?)${mark} (\\d+)\n`, "g"))];
  return steps.map((step, index) => {
    const [, text = "", code = "none"] = parts[index] ?? [];
    if (step.shown.length === 0 && code !== "0") throw new Error(`${step.command} ended with ${code}\n${text}`);
    return { ...step, output: text };
  });
}
