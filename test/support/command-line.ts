import { main } from "@pulumi-ovn/cli";

/** Standard output of a usage error: an object with --json, otherwise nothing. */
export const usageErrorOutput = (args: readonly string[], message: string): string =>
  args.includes("--json") ? `${JSON.stringify({ version: 1, error: { code: "OVN_USAGE", message } })}\n` : "";

/** Runs a command line of `pulumi-ovn` in this process; returns its output and exit code. */
export async function commandLine(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const printed = { stdout: "", stderr: "" };
  const spies = (["stdout", "stderr"] as const).map((name) =>
    jest.spyOn(process[name], "write").mockImplementation((text) => ((printed[name] += String(text)), true)),
  );
  try {
    return { code: await main(args), ...printed };
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
