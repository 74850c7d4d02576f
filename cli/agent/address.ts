import { AGENT_ADDRESS, listenAddress, VPC_AGENT_ADDRESS } from "@pulumi-ovn/agent";
import { CommandError } from "../command";

/** Default addresses of agents by the option that names another one. */
const DEFAULTS = { agent: AGENT_ADDRESS, "vpc-agent": VPC_AGENT_ADDRESS } as const;

/** @param option name of the option, for errors */
export function agentAddress(option: keyof typeof DEFAULTS, text: string): NonNullable<ReturnType<typeof listenAddress>> {
  const address = listenAddress(text);
  if (address !== undefined) return address;
  const example = DEFAULTS[option];
  throw new CommandError("OVN_USAGE", `--${option} ${text}: expected ADDRESS:PORT, such as ${example} or [::1]:${example.split(":")[1]!}`);
}
