import { parseArgs } from "node:util";
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
  if (args.includes("--help") || args.includes("-h")) {
    process.stdout.write(`Usage: ${program} [OPTIONS]\n\n${helpOf(names)}`);
    return;
  }
  try {
    process.exitCode = await agentCommand({ ...valuesIn(args, names), ...fixed });
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    process.stderr.write(`${program}: ${typeof code === "string" ? `${code}: ` : ""}${message}\n`);
    process.exitCode = code === "OVN_USAGE" ? 2 : 1;
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
  const options = Object.fromEntries(names.map((name) => [name, { type: "value" in AGENT_OPTIONS[name] ? "string" : "boolean" } as const]));
  try {
    return parseArgs({ args: [...args], options, strict: true }).values as AgentValues;
  } catch (error) {
    throw usage((error as Error).message.split(/[\n.] ?/)[0]!);
  }
}

function helpOf(names: readonly (keyof AgentValues)[]): string {
  const lines = names.map((name) => {
    const option = AGENT_OPTIONS[name];
    return [`  --${name}${"value" in option ? ` ${option.value}` : ""}`, option.help] as const;
  });
  const width = Math.max(...lines.map(([words]) => words.length)) + 2;
  return lines.map(([words, help]) => `${words.padEnd(width)}${help}\n`).join("");
}
