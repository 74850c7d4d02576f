import { ConnectionError, parseEndpoints } from "@pulumi-ovn/ovsdb-client";
import { bgpAgent, type DaemonOptions, runDaemon } from "../daemon/daemon";
import type { Listen } from "../daemon/endpoints";
import { AgentError } from "../daemon/errors";
import { listenAddress } from "../daemon/listen-address";
import { convergeOnce, dryRun, withdraw } from "../daemon/once";
import { logTo, printJson, printProblems } from "../daemon/print";
import { runAgents } from "../daemon/run-agent";
import { isVrfName, VRF_NAME } from "../host/vrf-name";
import { restoreOnce, runVpcAgent, vpcAgent, type VpcAgentOptions } from "../vpc/daemon";
import { AGENT_ADDRESS, type AgentValues, OPENVSWITCH, VPC_AGENT_ADDRESS, VPC_AGENT_FOLDER } from "./options";

/** Options that the agent of a VPC's host has. The others are only for the BGP agent. */
const OF_VPC: ReadonlySet<string> = new Set(["vpc", "folder", "openvswitch", "listen", "once", "json"]);

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs the agents of a host until a signal. Resolves to the exit code; rejects with an AgentError, OVN_USAGE if the options are wrong. */
export async function agentCommand(values: AgentValues): Promise<number> {
  // Connections do not keep a process running: it would end with exit code 0 while it waits for a lock.
  const alive = setInterval(() => undefined, 60_000);
  try {
    return await rolesOf(values);
  } finally {
    clearInterval(alive);
  }
}

function rolesOf(values: AgentValues): Promise<number> {
  if (values["vpc-listen"] !== undefined && !(values.bgp && values.vpc)) throw usage("--vpc-listen is for --bgp with --vpc only");
  if (values.folder !== undefined && !values.vpc) throw usage("--folder is for --vpc only");
  if (!values.vpc) return bgpCommand(values);
  if (values.bgp) return bothCommand(values);
  const other = Object.entries(values).find(([name, value]) => !OF_VPC.has(name) && value !== undefined && value !== false);
  if (other) throw usage(`--${other[0]} is not for --vpc`);
  return vpcCommand(values);
}

/** The agent of a VPC's host. */
async function vpcCommand(values: AgentValues): Promise<number> {
  const options = vpcOptions(values);
  const listen = addressOf("listen", values.listen ?? VPC_AGENT_ADDRESS, VPC_AGENT_ADDRESS);
  if (values.once) return printProblems(await restoreOnce(options), values.json === true);
  await runVpcAgent({ ...options, listen });
  return 0;
}

async function bgpCommand(values: AgentValues): Promise<number> {
  const modes = (["once", "withdraw", "dry-run"] as const).filter((mode) => values[mode]);
  if (modes.length > 1) throw usage(`${modes.map((mode) => `--${mode}`).join(" or ")}, not both`);
  if (modes.length > 0 && values.listen !== undefined) throw usage(`--listen is of no use with --${modes[0]!}`);
  const options = bgpOptions(values);
  if (values.once) return printProblems(await convergeOnce(options), values.json === true);
  if (values.withdraw) return printProblems(await withdraw(options), values.json === true);
  if (values["dry-run"]) {
    const planned = await dryRun(options);
    printJson(planned);
    return planned.problems.length === 0 ? 0 : 1;
  }
  await runDaemon(options);
  return 0;
}

/** Both agents in this process. Each has its lock, its endpoints and its rounds, so neither waits for the other. If one ends, both end. */
async function bothCommand(values: AgentValues): Promise<number> {
  const mode = (["withdraw", "dry-run"] as const).find((name) => values[name]);
  if (mode) throw usage(`--${mode} is not for --vpc`);
  const signal = endSignal();
  const bgp = bgpOptions(values, signal);
  const vpc = vpcOptions(values, signal);
  if (values.once) {
    const found = await Promise.all([convergeOnce(bgp), restoreOnce(vpc)]);
    return printProblems(found.flat(), values.json === true);
  }
  const listen = addressOf("vpc-listen", values["vpc-listen"] ?? VPC_AGENT_ADDRESS, VPC_AGENT_ADDRESS);
  await runAgents(bgp, [bgpAgent(bgp), vpcAgent({ ...vpc, listen })]);
  return 0;
}

function bgpOptions(values: AgentValues, signal?: AbortSignal): DaemonOptions {
  const { openvswitch = OPENVSWITCH, southbound, northbound, vrf, vtysh, ca, certificate, "private-key": privateKey } = values;
  if (vrf !== undefined && !isVrfName(vrf)) throw usage(`--vrf ${vrf}: expected ${VRF_NAME}`);
  for (const [option, endpoints] of Object.entries({ openvswitch, southbound, northbound })) requireEndpoints(option, endpoints);
  const listen = addressOf("listen", values.listen ?? AGENT_ADDRESS, AGENT_ADDRESS);
  if ((certificate === undefined) !== (privateKey === undefined)) throw usage("--certificate and --private-key must be given together");
  const tls = ca === undefined && certificate === undefined ? undefined : { ca, certificate, privateKey, checkServerName: values["any-server-name"] !== true };
  return { openvswitch, southbound, northbound, vrf, vtysh, tls, listen, log: logTo(values.json === true), signal: signal ?? endSignal() };
}

function vpcOptions({ folder = VPC_AGENT_FOLDER, openvswitch = OPENVSWITCH, json }: AgentValues, signal?: AbortSignal): VpcAgentOptions {
  if (!folder.startsWith("/")) throw usage(`--folder ${folder}: expected a path from / on`);
  requireEndpoints("openvswitch", openvswitch);
  return { folder, openvswitch, log: logTo(json === true), signal: signal ?? endSignal() };
}

function endSignal(): AbortSignal {
  const ending = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => ending.abort());
  return ending.signal;
}

/** @param example a valid address, for the error */
function addressOf(option: string, text: string, example: string): Listen {
  const address = listenAddress(text);
  if (address === undefined) throw usage(`--${option} ${text}: expected ADDRESS:PORT, such as ${example} or [::1]:${example.split(":")[1]!}`);
  return address;
}

/** Refuses invalid endpoints. The daemon retries a valid endpoint indefinitely, because servers may come back; an invalid one never works. */
function requireEndpoints(option: string, endpoints: string | undefined): void {
  try {
    if (endpoints !== undefined) parseEndpoints(endpoints);
  } catch (error) {
    throw error instanceof ConnectionError ? usage(`--${option}: ${error.message}`) : error;
  }
}

export const usage = (message: string): AgentError => new AgentError("OVN_USAGE", message);
