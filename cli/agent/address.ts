import { AGENT_ADDRESS, listenAddress } from "@pulumi-ovn/agent";
import { CommandError } from "../command";

/** @param option name of the option, for errors */
export function agentAddress(option: string, text: string): NonNullable<ReturnType<typeof listenAddress>> {
  const address = listenAddress(text);
  if (address === undefined) throw new CommandError("OVN_USAGE", `--${option} ${text}: expected ADDRESS:PORT, such as ${AGENT_ADDRESS} or [::1]:9475`);
  return address;
}
