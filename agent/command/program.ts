import { codeWithOutput, type Options, optionsUsage, parseOptions, reportedError, visibleJson, visibleLines, withCode } from "@pulumi-ovn/provider/agent";
import { agentCommand, usage } from "./command";
import { AGENT_OPTIONS, type AgentValues } from "./options";

/**
 * Runs a program of this package: for hosts that install nothing of Pulumi.
 *
 * @param names options that it has
 * @param fixed options that it sets
 */
export async function runProgram(
  program: string,
  args: readonly string[],
  names = Object.keys(AGENT_OPTIONS) as readonly (keyof AgentValues)[],
  fixed: AgentValues = {},
): Promise<void> {
  // An agent continues without the reader of its log.
  process.exitCode = await codeWithOutput(program, () => ran(program, args, names, fixed));
}

async function ran(program: string, args: readonly string[], names: readonly (keyof AgentValues)[], fixed: AgentValues): Promise<number> {
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`Usage: ${program} [OPTIONS]\n\n${helpOf(names)}`);
    return 0;
  }
  try {
    return await agentCommand({ ...valuesIn(args, names), ...fixed });
  } catch (error) {
    const reported = reportedError(error);
    if (args.includes("--json")) process.stdout.write(visibleJson(`${JSON.stringify({ version: 1, error: reported })}\n`));
    process.stderr.write(`${program}: ${visibleLines(withCode(reported.code, reported.message))}\n`);
    return reported.code === "OVN_USAGE" ? 2 : 1;
  }
}

const VPC_NAMES = ["folder", "openvswitch", "listen", "once", "json"] as const;

/** Runs the program of a VPC's host; see `runProgram`. */
export const runVpcProgram = (program: string, args: readonly string[]): Promise<void> => runProgram(program, args, VPC_NAMES, { vpc: true });

/** Help text of the options of a VPC's host. */
export const VPC_AGENT_OPTIONS = helpOf(VPC_NAMES);

/** Runs the agent of a VPC's host. Resolves to the exit code; rejects with an AgentError, OVN_USAGE if the options are wrong. */
export async function vpcAgentCommand(args: readonly string[]): Promise<number> {
  return agentCommand({ ...valuesIn(args, VPC_NAMES), vpc: true });
}

function valuesIn(args: readonly string[], names: readonly (keyof AgentValues)[]): AgentValues {
  return parseOptions(args, tableOf(names), false, usage).values;
}

function helpOf(names: readonly (keyof AgentValues)[]): string {
  return optionsUsage(tableOf(names))
    .map((line) => `${line}\n`)
    .join("");
}

function tableOf(names: readonly (keyof AgentValues)[]): Options {
  return Object.fromEntries(names.map((name) => [name, AGENT_OPTIONS[name]]));
}
