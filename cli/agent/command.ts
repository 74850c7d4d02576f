import {
  convergeOnce,
  dryRun,
  isVrfName,
  type OnceOptions,
  logTo,
  printProblems,
  runDaemon,
  VPC_AGENT_ADDRESS,
  VPC_AGENT_FOLDER,
  VRF_NAME,
  withdraw,
} from "@pulumi-ovn/agent";
import { ConnectionError, parseEndpoints } from "@pulumi-ovn/ovsdb-client";
import { type Command, CommandError, options, type Options } from "../command";
import { AGENT_ADDRESS, agentAddress } from "./address";
import { vpcAgent } from "./vpc";

const OPENVSWITCH = "unix:/run/openvswitch/db.sock";

const known = {
  openvswitch: { value: "ENDPOINT", help: `the host's Open vSwitch database; default: ${OPENVSWITCH}` },
  southbound: { value: "ENDPOINT", help: "the Southbound database; default: external_ids:ovn-remote of the host" },
  northbound: {
    value: "ENDPOINT",
    help: "the Northbound database, for IPv6 floating IPs; default: external_ids:ovn-nb-remote of the host, and without that none",
  },
  ca: { value: "FILE", help: "TLS, for ssl: endpoints: the authority's certificate", completes: "file" },
  certificate: { value: "FILE", help: "TLS: the agent's certificate", completes: "file" },
  "private-key": { value: "FILE", help: "TLS: the agent's private key", completes: "file" },
  "any-server-name": { help: "TLS: certificates name no host, as those of ovs-pki do" },
  listen: { value: "ADDRESS:PORT", help: `where /healthz and /metrics answer; default: ${AGENT_ADDRESS}, with --vpc ${VPC_AGENT_ADDRESS}` },
  vrf: {
    value: "NAME",
    help: "announce from a VRF of this name, which the agent makes: for FRR before version 10, which announces IPv6 in no other way; default: none",
  },
  vtysh: { value: "FILE", help: "FRR's vtysh; default: that of PATH", completes: "file" },
  once: { help: "bring the host to what it should be, once, instead of running on" },
  withdraw: { help: "take away everything of the agent's on this host, instead of running on" },
  "dry-run": { help: "print what the host should have, and the steps there, as JSON, instead of running on" },
  json: { help: "lines of the log as JSON; with --once and --withdraw the problems that are left; docs/reference/cli.md has the formats" },
  vpc: { help: "run the agent of a VPC's host instead; takes --folder, --openvswitch, --listen, --once and --json" },
  folder: { value: "FOLDER", help: `with --vpc: where updates leave their files; default: ${VPC_AGENT_FOLDER}`, completes: "folder" },
} as const satisfies Options;

/** Options of the agent of a VPC's host. The others are only for the BGP agent. */
const OF_VPC: ReadonlySet<string> = new Set(["vpc", "folder", "openvswitch", "listen", "once", "json"]);

const SIGNALS = ["SIGINT", "SIGTERM"] as const;

async function run(args: readonly string[]): Promise<number> {
  const values = options(args, known);
  if (values.vpc) {
    const other = Object.entries(values).find(([name, value]) => !OF_VPC.has(name) && value !== undefined && value !== false);
    if (other) throw new CommandError("OVN_USAGE", `--${other[0]} is not for --vpc`);
    return vpcAgent(args);
  }
  if (values.folder !== undefined) throw new CommandError("OVN_USAGE", "--folder is for --vpc only");
  const modes = (["once", "withdraw", "dry-run"] as const).filter((mode) => values[mode]);
  if (modes.length > 1) throw new CommandError("OVN_USAGE", `${modes.map((mode) => `--${mode}`).join(" or ")}, not both`);
  if (modes.length > 0 && values.listen !== undefined) throw new CommandError("OVN_USAGE", `--listen is of no use with --${modes[0]!}`);
  const { openvswitch = OPENVSWITCH, southbound, northbound, vrf, vtysh, ca, certificate, "private-key": privateKey, listen: place = AGENT_ADDRESS } = values;
  if (vrf !== undefined && !isVrfName(vrf)) throw new CommandError("OVN_USAGE", `--vrf ${vrf}: expected ${VRF_NAME}`);
  for (const [option, endpoints] of Object.entries({ openvswitch, southbound, northbound })) requireEndpoints(option, endpoints);
  const listen = agentAddress("listen", place);
  if ((certificate === undefined) !== (privateKey === undefined)) throw new CommandError("OVN_USAGE", "--certificate and --private-key must be given together");
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
    log: logTo(values.json),
    signal: ending.signal,
  };
  if (values.once) return printProblems(await convergeOnce(common), values.json);
  if (values.withdraw) return printProblems(await withdraw(common), values.json);
  if (values["dry-run"]) {
    const planned = await dryRun(common);
    process.stdout.write(`${JSON.stringify(planned, null, 2)}\n`);
    return planned.problems.length === 0 ? 0 : 1;
  }
  await runDaemon({ ...common, listen });
  return 0;
}

/** Refuses invalid endpoints. The daemon retries a valid endpoint indefinitely, because servers may come back; an invalid one never works. */
function requireEndpoints(option: string, endpoints: string | undefined): void {
  try {
    if (endpoints !== undefined) parseEndpoints(endpoints);
  } catch (error) {
    throw error instanceof ConnectionError ? new CommandError("OVN_USAGE", `--${option}: ${error.message}`) : error;
  }
}

export const agentCommand: Command = {
  summary: "run the BGP agent of a chassis, or the agent of a VPC's host",
  forms: ["[OPTIONS]", "--vpc [OPTIONS]"],
  about: `Runs on a chassis, as root, beside ovn-controller and FRR: announces to the fabric what resources
BgpExposure with mode "agent" name, and leads packets from the fabric to OVN. It runs until it gets
SIGTERM, and leaves everything in place then: a restart loses nothing.
docs/how-to/bgp-agent.md has a unit for systemd.

With --vpc, on a host of a VPC on plain Open vSwitch (docs/how-to/vpc-agent.md): restores what the
last updates wrote there, whenever it is gone, and goes round tunnels that die.`,
  options: known,
  notes: `There is no --stack and no --cwd: a chassis has no project, and the agent reads the databases.

Exit code: 0 done, or ended by a signal; 1 failed, or problems are left; 2 usage error.`,
  run,
};
