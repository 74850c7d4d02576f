import { KEPT_FOLDER, type Options } from "@pulumi-ovn/provider/agent";

/** Default endpoint of the host's Open vSwitch database. */
export const OPENVSWITCH = "unix:/run/openvswitch/db.sock";

/** Default addresses of `/healthz` and `/metrics`. */
export const AGENT_ADDRESS = "127.0.0.1:9475";
export const VPC_AGENT_ADDRESS = "127.0.0.1:9476";

/** Default folder of the files that updates leave. */
export const VPC_AGENT_FOLDER = KEPT_FOLDER;

/** Options of the agents of a host. */
export const AGENT_OPTIONS = {
  openvswitch: { value: "ENDPOINT", help: `the host's Open vSwitch database; default: ${OPENVSWITCH}` },
  southbound: { value: "ENDPOINT", help: "the Southbound database; default: the host's external_ids:ovn-remote" },
  northbound: {
    value: "ENDPOINT",
    help: "for IPv6 floating IPs; default: the host's external_ids:ovn-nb-remote",
  },
  ca: { value: "FILE", help: "TLS: the authority's certificate", completes: "file" },
  certificate: { value: "FILE", help: "TLS: the agent's certificate", completes: "file" },
  "private-key": { value: "FILE", help: "TLS: the agent's private key", completes: "file" },
  "any-server-name": { help: "TLS: accept certificates without a host's name, such as those of ovs-pki" },
  listen: { value: "ADDRESS:PORT", help: `where /healthz and /metrics answer; default: ${AGENT_ADDRESS}, with only --vpc ${VPC_AGENT_ADDRESS}` },
  vrf: {
    value: "NAME",
    help: "announce from a VRF device that the agent creates, for IPv6 with FRR before 10",
  },
  vtysh: { value: "FILE", help: "FRR's vtysh; default: from PATH", completes: "file" },
  once: { help: "update the host once, then exit" },
  withdraw: { help: "remove everything of the agent from this host, then exit" },
  "dry-run": { help: "print the desired state and the steps to it as JSON, then exit" },
  json: { help: "print the log as JSON lines, and with --once and --withdraw the remaining problems" },
  bgp: { help: "run the BGP agent; default: unless --vpc is given" },
  vpc: { help: "run the agent of a VPC's host; without --bgp only with --folder, --openvswitch, --listen, --once and --json" },
  "vpc-listen": { value: "ADDRESS:PORT", help: `--listen of the VPC agent, with --bgp and --vpc; default: ${VPC_AGENT_ADDRESS}` },
  folder: { value: "FOLDER", help: `folder of the updates' files, with --vpc; default: ${VPC_AGENT_FOLDER}`, completes: "folder" },
} as const satisfies Options;

type Table = typeof AGENT_OPTIONS;

/** Values of the options: a text if the option has a value, otherwise whether it is given. */
export type AgentValues = { readonly [Name in keyof Table]?: (Table[Name] extends { readonly value: string } ? string : boolean) | undefined };
