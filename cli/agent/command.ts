import { AGENT_OPTIONS, agentCommand as runAgentCommand } from "@pulumi-ovn/agent";
import { type Command, CommandError, options } from "../command";

async function run(args: readonly string[]): Promise<number> {
  const values = options(args, AGENT_OPTIONS);
  try {
    return await runAgentCommand(values);
  } catch (error) {
    const { code, message } = error as Error & { code?: unknown };
    if (code !== "OVN_USAGE") throw error;
    const isOfVpc = values.vpc && !values.bgp && !/--vpc(?: only)?$/.test(message);
    throw new CommandError("OVN_USAGE", isOfVpc ? `--vpc: ${message}` : message);
  }
}

export const agentCommand: Command = {
  summary: "run the BGP agent of a chassis, or the agent of a VPC's host",
  forms: ["[OPTIONS]", "--vpc [OPTIONS]", "--bgp --vpc [OPTIONS]"],
  about: `Runs on a chassis, as root, with ovn-controller and FRR: announces to the fabric what resources
BgpExposure with mode "agent" select, and sends packets from the fabric to OVN. SIGTERM ends it, and
leaves everything in place: a restart loses nothing.
docs/how-to/bgp-agent.md has a unit for systemd.

With --vpc, on a host of a VPC on plain Open vSwitch (docs/how-to/vpc-agent.md): restores what the
last updates wrote there, and avoids tunnels that fail.

With --bgp and --vpc, both agents run in one process.`,
  options: AGENT_OPTIONS,
  notes: `There is no --stack and no --cwd: a chassis has no project.

Exit code: 0 done, or ended by a signal; 1 failed, or problems remain; 2 usage error.`,
  run,
};
