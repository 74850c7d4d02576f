import { type Family, type Ip, contains, formatIp, formatPrefix, networkOf, ofFamily, parseSubnet } from "../../../kit/address";
import { didYouMean } from "../../../kit/arguments/nearest";
import { listed } from "../../../kit/text/listed";
import { type Failures, propertyPath } from "../../../kit/arguments/failures";
import { checkLinkSubnets } from "../gateway-peer/check";
import { Holders } from "../holders";
import { requireHost } from "../placement";
import { stageFailures } from "../layer2-gateway/stage";
import { DEFAULT_REPLY_MARK } from "./reroute-args";
import type { EgressIP, EgressNode, ResolvedPolicy } from "./resolve";

/** Relations between arguments; each failure is at the argument that a user would change. */
export function check(policy: ResolvedPolicy, failures: Failures): void {
  const { spec, addresses } = policy;
  if (addresses.length === 0 && failures.found.length === 0) failures.add("addresses", "required", "needs at least one egress address");
  checkLinkSubnets(spec.network, "network.", failures);
  const holders = new Holders(failures);
  for (const address of addresses) {
    holders.take("egress address", address.text, `node "${address.node}"`, address.path);
    checkNode(policy, address, holders, failures);
    checkAddress(policy, address, failures);
  }
  checkWorkloads(policy, failures);
  checkStage(spec, failures);
  checkMarks(spec, failures);
}

function checkNode({ spec, nodes }: ResolvedPolicy, { node: name, ip, text, path }: EgressIP, holders: Holders, failures: Failures): void {
  const node = nodes.find((known) => known.name === name);
  if (!node) {
    const known = nodes.map((other) => other.name);
    return failures.add(path, "unknown-node", `"${name}" is not one of the network's nodes: ${known.join(", ")}${didYouMean(name, known)}`);
  }
  holders.take(`node "${name}"'s egress address of`, `IPv${ip.family}`, "another address", path);
  const missing = spec.requireDefaultGateway ? missingOutside(node, ip.family) : undefined;
  if (missing === undefined) return;
  failures.add(
    path,
    "no-route",
    `node "${name}" has no IPv${ip.family} ${missing}, so what is to leave there with ${text} would be lost: add one, choose another node, or set requireDefaultGateway: false if its gateway router has other routes`,
  );
}

/** Returns what a node lacks to let packets of a family out. */
function missingOutside({ externals, nextHops }: EgressNode, family: Family): string | undefined {
  if (!ofFamily(externals, family)) return "external address";
  return ofFamily(nextHops, family) ? undefined : "default gateway outside (nextHops)";
}

function checkAddress(policy: ResolvedPolicy, { ip, text, path }: EgressIP, failures: Failures): void {
  const {
    spec: { network },
    subnets,
    nodes,
    workloads,
  } = policy;
  if (!ofFamily(subnets, ip.family)) {
    failures.add(path, "family", `${text} is IPv${ip.family}, and the network has no IPv${ip.family}: there would be no next hop to it`);
    return;
  }
  for (const [what, list] of [
    ["own subnet", network.subnets],
    ["join subnet", network.joinSubnets],
    ["transit subnet", network.transitSubnets],
  ] as const) {
    const inside = list.map(parseSubnet).find((subnet) => contains(subnet, ip));
    if (inside) failures.add(path, "overlap", `${text} is inside of the network's ${what} ${formatPrefix(inside)}: it must be an address outside`);
  }
  // The address may move to any of the nodes.
  const outside = nodes.flatMap(({ externals }) => externals.filter((external) => contains(external, ip))).map(networkOf);
  if (outside.length > 0) failures.attempt(path, () => requireHost(ip, outside));
  const holder = nodes.find(({ own }) => holds(own, ip));
  if (holder) failures.add(path, "duplicate", `${text} is an address of node "${holder.name}" itself`);
  if (nodes.some(({ nextHops }) => holds(nextHops, ip))) failures.add(path, "duplicate", `${text} is a default gateway outside`);
  if (workloads.length > 0 && !workloads.some(({ addresses }) => ofFamily(addresses, ip.family))) {
    failures.add(path, "family", `${text} is IPv${ip.family}, and no workload of the policy has an IPv${ip.family} address`);
  }
}

function holds(list: readonly Ip[], { family, value }: Ip): boolean {
  return list.some((other) => other.family === family && other.value === value);
}

function checkWorkloads({ spec, workloads, nodes, addresses }: ResolvedPolicy, failures: Failures): void {
  if (spec.workloads.length === 0) failures.add("workloads", "required", "needs at least one workload");
  const holders = new Holders(failures);
  spec.workloads.forEach((name, index) => {
    const path = `workloads[${index}]`;
    if (!holders.take("workload", `"${name}"`, "this policy", path)) return;
    if (Object.hasOwn(spec.network.workloads, name)) return;
    const known = Object.keys(spec.network.workloads).sort();
    failures.add(path, "unknown-workload", `"${name}" is not one of the network's workloads: ${listed(known, MOST_NAMES)}${didYouMean(name, known)}`);
  });
  for (const {
    name,
    nodes: [node, target],
    addresses: own,
  } of workloads) {
    const at = (...path: PropertyKey[]) => propertyPath(["network", "workloads", name, ...path]);
    for (const [nodeName, path] of [
      [node, ["node"]],
      [target, ["migration", "to"]],
    ] as const) {
      if (nodeName !== undefined && !nodes.some((known) => known.name === nodeName))
        failures.add(at(...path), "unknown-node", `"${nodeName}" is not one of the network's nodes`);
    }
    if (node === target) failures.add(at("migration", "to"), "same-node", `the workload is on "${node}" already`);
    own.forEach((address, index) => holders.take("address", formatIp(address), name, at("addresses", index)));
    const served = own.filter((address) => addresses.some(({ ip }) => ip.family === address.family));
    if (served.length === 0 && addresses.length > 0) {
      failures.add(
        `workloads[${spec.workloads.indexOf(name)}]`,
        "family",
        `"${name}" has only ${own.map(formatIp).join(", ")}, and the policy has no egress address of that family`,
      );
    }
  }
}

const MOST_NAMES = 12;

/** Without a stage nodes may differ: the network may be on its way by other hands. */
function checkStage({ network: { nodes, upgrade } }: ResolvedPolicy["spec"], failures: Failures): void {
  if (upgrade !== undefined) failures.addAll(stageFailures(nodes, upgrade).map((failure) => ({ ...failure, path: `network.${failure.path}` })));
}

function checkMarks({ mark, replyMark = DEFAULT_REPLY_MARK }: ResolvedPolicy["spec"], failures: Failures): void {
  if (mark === 0) failures.add("mark", "out-of-range", "0 means that a packet has no mark: use 1 to 4294967295");
  if (replyMark === 0) failures.add("replyMark", "out-of-range", "0 means that a packet has no mark: use 1 to 4294967295");
  if (mark !== undefined && mark === replyMark) failures.add("mark", "duplicate", `mark ${mark} is the mark of replies already`);
}
