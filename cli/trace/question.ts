import { contains, parseIp, parseSubnet } from "@pulumi-ovn/provider";
import { didYouMean } from "@pulumi-ovn/provider/tools";
import { CommandError } from "../command";
import type { VpcTopology, VpcInState } from "../vpc/model";
import type { TraceOptions } from "./options";
import type { Question } from "./route";

/** Pure. Parses the question and its VPC, without the port from which the workload sends. */
export function questionOf(
  vpcs: readonly VpcInState[],
  { from, to, family, protocol, port, vpc: named }: Pick<TraceOptions, "from" | "to" | "family" | "protocol" | "port" | "vpc">,
): Omit<Question, "port"> {
  const vpc = chosen(vpcs, from, named);
  const sender = vpc.topology.workloads[from]!;
  const source = sender.addresses.find((address) => parseIp(address).family === family);
  if (source === undefined) throw refuse(`workload "${from}" has no IPv${family} address`);
  if (sender.addresses.includes(to)) throw refuse(`${to} is an address of workload "${from}" itself`);
  refuseUnknown(vpc.topology, from, to);
  return { vpc, from, packet: { family, source, destination: to, protocol, port } };
}

/** Refuses an address of a tier that belongs neither to a workload nor to the virtual router: its holder is in no stack. */
function refuseUnknown({ tiers, workloads }: VpcTopology, from: string, to: string): void {
  const address = parseIp(to);
  const [tier] = Object.entries(tiers).find(([, { cidrs }]) => cidrs.some((cidr) => contains(parseSubnet(cidr), address))) ?? [];
  const holders = [...Object.values(workloads).map(({ addresses }) => addresses), ...Object.values(tiers).map(({ gateways }) => gateways)];
  if (tier === undefined || holders.some((addresses) => addresses.includes(to))) return;
  if (tier === workloads[from]!.tier)
    throw refuse(`${to} is in tier "${tier}", which "${from}" is in, and no workload's: no answer to its request for the MAC`);
  throw refuse(`${to} is in tier "${tier}", and no workload's: no answer to the virtual router's request for the MAC`);
}

function chosen(vpcs: readonly VpcInState[], from: string, named: string | undefined): Question["vpc"] {
  const candidates = vpcs.filter(({ name }) => named === undefined || name === named);
  if (candidates.length === 0)
    throw refuse(
      named === undefined
        ? 'the stack has no VPC; for networks of OVN run "pulumi-ovn simulate --live --explain"'
        : `the stack has no VPC "${named}"${didYouMean(
            named,
            vpcs.map(({ name }) => name),
          )}`,
    );
  const known = candidates.filter((vpc): vpc is Question["vpc"] => vpc.topology !== undefined);
  if (known.length === 0)
    throw refuse(
      `the state of VPC "${candidates[0]!.name}" does not contain the hosts of its workloads: run "pulumi up" once with this release; VpcBridges and LogicalRouterBridge without a Vpc do not store them`,
    );
  const [vpc, second] = known.filter(({ topology }) => Object.hasOwn(topology.workloads, from));
  if (vpc === undefined)
    throw refuse(
      `there is no workload "${from}"${didYouMean(
        from,
        known.flatMap(({ topology }) => Object.keys(topology.workloads)),
      )}`,
    );
  if (second !== undefined) throw refuse(`workload "${from}" is in VPC "${vpc.name}" and in "${second.name}"; pass --vpc`);
  return vpc;
}

function refuse(message: string): CommandError {
  return new CommandError("OVN_TRACE", message);
}
