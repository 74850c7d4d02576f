import { parseArgs } from "node:util";
import { parseEndpoints } from "@pulumi-ovn/ovsdb-client";
import { KEPT_FOLDER } from "@pulumi-ovn/provider/agent";
import { AgentError } from "../daemon/errors";
import { listenAddress } from "../daemon/listen-address";
import { logTo, printProblems } from "../daemon/print";
import { restoreOnce, runVpcAgent } from "./daemon";

const OPENVSWITCH = "unix:/run/openvswitch/db.sock";

/** Default address of `/healthz` and `/metrics`. */
export const VPC_AGENT_ADDRESS = "127.0.0.1:9476";

/** Default folder of the files that updates leave. */
export const VPC_AGENT_FOLDER = KEPT_FOLDER;

export const VPC_AGENT_OPTIONS = `  --folder FOLDER         where updates leave their files; default: ${KEPT_FOLDER}
  --openvswitch ENDPOINT  the host's Open vSwitch database; default: ${OPENVSWITCH}
  --listen ADDRESS:PORT   where /healthz and /metrics answer; default: ${VPC_AGENT_ADDRESS}
  --once                  restore the host once instead of running on
  --json                  lines of the log as JSON; with --once the problems that are left
`;

const known = {
  folder: { type: "string", default: KEPT_FOLDER },
  openvswitch: { type: "string", default: OPENVSWITCH },
  listen: { type: "string", default: VPC_AGENT_ADDRESS },
  once: { type: "boolean", default: false },
  json: { type: "boolean", default: false },
} as const;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

/** Runs the agent of a VPC's host. Resolves to the exit code; rejects with an AgentError, OVN_USAGE where the options are wrong. */
export async function vpcAgentCommand(args: readonly string[]): Promise<number> {
  const { folder, openvswitch, listen: place, once, json } = optionsIn(args);
  if (!folder.startsWith("/")) throw usage(`--folder ${folder}: expected a path from / on`);
  const listen = listenAddress(place);
  if (listen === undefined) throw usage(`--listen ${place}: expected ADDRESS:PORT, such as ${VPC_AGENT_ADDRESS} or [::1]:9476`);
  try {
    parseEndpoints(openvswitch);
  } catch (error) {
    throw usage(`--openvswitch: ${(error as Error).message}`);
  }
  const ending = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => ending.abort());
  const options = { folder, openvswitch, log: logTo(json), signal: ending.signal };
  if (!once) {
    await runVpcAgent({ ...options, listen });
    return 0;
  }
  return printProblems(await restoreOnce(options), json);
}

function optionsIn(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options: known, strict: true }).values;
  } catch (error) {
    throw usage((error as Error).message.split(/[\n.] ?/)[0]!);
  }
}

const usage = (message: string): AgentError => new AgentError("OVN_USAGE", message);
