import { convergeOnce, dryRun, isVrfName, type OnceOptions, type Problem, runDaemon, VPC_AGENT_OPTIONS, VRF_NAME, withdraw } from "@pulumi-ovn/agent";
import { ConnectionError, parseEndpoints, printable } from "@pulumi-ovn/ovsdb-client";
import { type Command, CommandError, options } from "../command";
import { AGENT_ADDRESS, agentAddress } from "./address";
import { vpcAgent } from "./vpc";

const OPENVSWITCH = "unix:/run/openvswitch/db.sock";

const usage = `Usage: pulumi-ovn agent [OPTIONS]

Runs on a chassis, as root, beside ovn-controller and FRR: announces to the fabric what resources
BgpExposure with mode "agent" name, and leads packets from the fabric to OVN. It runs until it gets
SIGTERM, and leaves everything in place then: a restart loses nothing. docs/bgp-agent.md has a unit
for systemd.

  --openvswitch ENDPOINT  the host's Open vSwitch database; default: ${OPENVSWITCH}
  --southbound ENDPOINT   the Southbound database; default: external_ids:ovn-remote of the host
  --northbound ENDPOINT   the Northbound database, for IPv6 floating IPs; default:
                          external_ids:ovn-nb-remote of the host, and without that none
  --ca FILE, --certificate FILE, --private-key FILE
                          TLS, for ssl: endpoints
  --any-server-name       TLS: certificates name no host, as those of ovs-pki do
  --listen ADDRESS:PORT   where /healthz and /metrics answer; default: ${AGENT_ADDRESS}
  --vrf NAME              announce from a VRF of this name, which the agent makes: for FRR before
                          version 10, which announces IPv6 in no other way; default: none
  --vtysh FILE            FRR's vtysh; default: that of PATH

In place of running on:
  --once                  bring the host to what it should be, once
  --withdraw              take away everything of the agent's on this host
  --dry-run               print what the host should have, and the steps there, as JSON

--vpc, on a host of a VPC on plain Open vSwitch (docs/vpc-agent.md), instead of all this: restores
what the last updates wrote there, whenever it is gone, and goes round tunnels that die. Options:
${VPC_AGENT_OPTIONS}
Exit code: 0 done, or ended by a signal; 1 failed, or problems are left; 2 not understood.
`;

const text = { type: "string" } as const;
const flag = { type: "boolean", default: false } as const;
const known = {
  openvswitch: text,
  southbound: text,
  northbound: text,
  ca: text,
  certificate: text,
  "private-key": text,
  "any-server-name": flag,
  listen: text,
  vrf: text,
  vtysh: text,
  once: flag,
  withdraw: flag,
  "dry-run": flag,
} as const;

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function run(args: readonly string[]): Promise<number> {
  if (args.includes("--vpc")) return vpcAgent(args);
  const values = options(args, known);
  const modes = (["once", "withdraw", "dry-run"] as const).filter((mode) => values[mode]);
  if (modes.length > 1) throw new CommandError("OVN_USAGE", `${modes.map((mode) => `--${mode}`).join(" or ")}, not both`);
  if (modes.length > 0 && values.listen !== undefined) throw new CommandError("OVN_USAGE", `--listen is of no use with --${modes[0]!}`);
  const { openvswitch = OPENVSWITCH, southbound, northbound, vrf, vtysh, ca, certificate, "private-key": privateKey, listen: place = AGENT_ADDRESS } = values;
  if (vrf !== undefined && !isVrfName(vrf)) throw new CommandError("OVN_USAGE", `--vrf ${vrf}: expected ${VRF_NAME}`);
  for (const [option, endpoints] of Object.entries({ openvswitch, southbound, northbound })) requireEndpoints(option, endpoints);
  const listen = agentAddress("listen", place);
  if ((certificate === undefined) !== (privateKey === undefined)) throw new CommandError("OVN_USAGE", "--certificate and --private-key come together");
  const tls = ca === undefined && certificate === undefined ? undefined : { ca, certificate, privateKey, checkServerName: !values["any-server-name"] };
  const ending = new AbortController();
  for (const signal of SIGNALS) process.once(signal, () => ending.abort());
  const common: OnceOptions = {
    openvswitch,
    southbound,
    northbound,
    vrf,
    vtysh,
    tls,
    log: (line) => void process.stderr.write(`${line}\n`),
    signal: ending.signal,
  };
  if (values.once) return told(await convergeOnce(common));
  if (values.withdraw) return told(await withdraw(common));
  if (values["dry-run"]) {
    const planned = await dryRun(common);
    process.stdout.write(`${JSON.stringify(planned, null, 2)}\n`);
    return planned.problems.length === 0 ? 0 : 1;
  }
  await runDaemon({ ...common, listen });
  return 0;
}

/** The daemon tries an endpoint again and again, as servers come and go; what is none will never be one. */
function requireEndpoints(option: string, endpoints: string | undefined): void {
  try {
    if (endpoints !== undefined) parseEndpoints(endpoints);
  } catch (error) {
    throw error instanceof ConnectionError ? new CommandError("OVN_USAGE", `--${option}: ${error.message}`) : error;
  }
}

function told(problems: readonly Problem[]): number {
  for (const { code, subject, message } of problems) process.stderr.write(`${code} ${printable(subject)}: ${printable(message)}\n`);
  return problems.length === 0 ? 0 : 1;
}

export const agentCommand: Command = { summary: "run the BGP agent of a chassis, or the agent of a VPC's host", usage, run };
