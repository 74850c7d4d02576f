import { KEPT_FOLDER } from "@pulumi-ovn/provider/agent";

/** Default endpoint of the host's Open vSwitch database. */
export const OPENVSWITCH = "unix:/run/openvswitch/db.sock";

/** Default addresses of `/healthz` and `/metrics`. */
export const AGENT_ADDRESS = "127.0.0.1:9475";
export const VPC_AGENT_ADDRESS = "127.0.0.1:9476";

/** Default folder of the files that updates leave. */
export const VPC_AGENT_FOLDER = KEPT_FOLDER;

interface Option {
  /** Placeholder of the value in the usage. Undefined for a flag. */
  readonly value?: string;
  readonly help: string;
  readonly completes?: "file" | "folder";
}

/** Options of the agents of a host. */
export const AGENT_OPTIONS = {
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
  listen: { value: "ADDRESS:PORT", help: `where /healthz and /metrics answer; default: ${AGENT_ADDRESS}, with --vpc alone ${VPC_AGENT_ADDRESS}` },
  vrf: {
    value: "NAME",
    help: "announce from a VRF of this name, which the agent makes: for FRR before version 10, which announces IPv6 in no other way; default: none",
  },
  vtysh: { value: "FILE", help: "FRR's vtysh; default: that of PATH", completes: "file" },
  once: { help: "bring the host to what it should be, once, instead of running on" },
  withdraw: { help: "take away everything of the agent's on this host, instead of running on" },
  "dry-run": { help: "print what the host should have, and the steps there, as JSON, instead of running on" },
  json: { help: "lines of the log as JSON; with --once and --withdraw the problems that are left; docs/reference/cli.md has the formats" },
  bgp: { help: "run the BGP agent; default: unless --vpc is given" },
  vpc: { help: "run the agent of a VPC's host; without --bgp takes --folder, --openvswitch, --listen, --once and --json only" },
  "vpc-listen": { value: "ADDRESS:PORT", help: `with --bgp and --vpc: --listen of the VPC agent; default: ${VPC_AGENT_ADDRESS}` },
  folder: { value: "FOLDER", help: `with --vpc: where updates leave their files; default: ${VPC_AGENT_FOLDER}`, completes: "folder" },
} as const satisfies Readonly<Record<string, Option>>;

type Table = typeof AGENT_OPTIONS;

/** Values of the options: a text if the option has a value, otherwise whether it is given. */
export type AgentValues = { readonly [Name in keyof Table]?: (Table[Name] extends { readonly value: string } ? string : boolean) | undefined };
