import { vpcAgentCommand } from "@pulumi-ovn/agent";
import { CommandError } from "../command";

/** `pulumi-ovn agent --vpc`. Its options are those of the agent's own program. */
export async function vpcAgent(args: readonly string[]): Promise<number> {
  try {
    return await vpcAgentCommand(args.filter((word) => word !== "--vpc"));
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    throw code === "OVN_USAGE" ? new CommandError("OVN_USAGE", `--vpc: ${message}`) : error;
  }
}
