import { contains, parseIp, parseSubnet } from "../../kit/address";
import { Failures, propertyPath } from "../../kit/arguments/failures";
import { didYouMean } from "../../kit/arguments/nearest";
import { accepted } from "../../kit/arguments/validate";
import { listed } from "../../kit/text/listed";
import { type IntentSpec, intentSchema } from "./args";
import type { Intent } from "./intent";
import { asList, intentText } from "./text";

/** The network that an intent is about. Values that are outputs are undefined, and are not compared. */
export interface IntentSubject {
  /** Workloads by name. */
  readonly workloads: Readonly<Record<string, IntentWorkload>>;
  /** Nodes of a network, hosts of a VPC. */
  readonly nodes: readonly string[];
  readonly subnets: readonly string[];
  /** Whether the program decides the source of packets that leave: not for a VPC, whose virtual router is another program. */
  readonly decidesSource: boolean;
}

export interface IntentWorkload {
  readonly addresses: readonly string[] | undefined;
  readonly labels: Readonly<Record<string, string>>;
}

/** Pure. The intent and its text. Throws an ArgumentError with everything that is wrong. */
export function checkedIntent(args: unknown, subject: IntentSubject): { readonly text: string; readonly intent: Intent } {
  const spec = accepted(intentSchema, args);
  const failures = new Failures();
  const reach = reachOf(spec, failures);
  checkPort(spec, failures);
  const from = workloadsOf("from", spec.from, subject, failures);
  const to = typeof spec.to === "object" && "address" in spec.to ? spec.to.address : workloadsOf("to", spec.to, subject, failures);
  if (typeof to === "string") checkAddress(to, subject, failures);
  else if (from.length === 1 && to.length === 1 && from[0] === to[0]) failures.add("to", "same", `"${to[0]}" is the sender; name another workload`);
  checkFamilies(spec, from, to, subject, failures);
  checkLeaving(spec, to, reach, subject, failures);
  failures.throwIfAny();
  const { protocol, port, family, sourceAddress, byNode } = spec;
  const intent: Intent = {
    from,
    to,
    reach,
    protocol,
    ...(port !== undefined && { port }),
    ...(family !== undefined && { family }),
    ...(sourceAddress !== undefined && { sourceAddress: asList(sourceAddress).toSorted() }),
    ...(byNode !== undefined && { byNode: asList(byNode).toSorted() }),
  };
  return { text: intentText(spec, reach), intent };
}

function reachOf({ reach, blocked }: IntentSpec, failures: Failures): boolean {
  if (reach === undefined && blocked === undefined) failures.add("reach", "required", 'name one: "reach: true", or "blocked: true"');
  if (reach !== undefined && blocked !== undefined) failures.add("blocked", "value", '"blocked" is the opposite of "reach": name one of them');
  return reach ?? !(blocked ?? false);
}

function checkPort({ protocol, port }: IntentSpec, failures: Failures): void {
  if (protocol === "icmp" && port !== undefined) failures.add("port", "value", "icmp has no ports; name the protocol: tcp, udp or sctp");
  if (protocol !== "icmp" && port === undefined) failures.add("port", "required", `port is required with ${protocol}`);
}

const MOST_NAMED = 12;

/** Workloads that an end means, sorted. */
function workloadsOf(end: "from" | "to", given: Exclude<IntentSpec["to"], { address: string }>, { workloads }: IntentSubject, failures: Failures): string[] {
  const known = Object.keys(workloads).sort();
  if (typeof given === "object" && "labels" in given) {
    const wanted = Object.entries(given.labels);
    const found = known.filter((name) => wanted.every(([key, value]) => Object.hasOwn(workloads[name]!.labels, key) && workloads[name]!.labels[key] === value));
    if (found.length === 0) failures.add(propertyPath([end, "labels"]), "no-workload", "no workload has these labels");
    return found;
  }
  const names = asList(given);
  if (names.length === 0) failures.add(end, "required", "needs at least one workload");
  names.forEach((name, index) => {
    if (Object.hasOwn(workloads, name)) return;
    const path = typeof given === "string" ? end : propertyPath([end, index]);
    const are = known.length === 0 ? "the network has no workloads" : `"${name}" is not one of ${listed(known, MOST_NAMED)}${didYouMean(name, known)}`;
    failures.add(path, "unknown-workload", `${are}${end === "to" && isAddress(name) ? `; for an address outside write { address: "${name}" }` : ""}`);
  });
  return names.filter((name) => Object.hasOwn(workloads, name)).toSorted();
}

function isAddress(text: string): boolean {
  try {
    return parseIp(text) !== undefined;
  } catch {
    return false;
  }
}

function checkAddress(address: string, { workloads, subnets }: IntentSubject, failures: Failures): void {
  const subnet = subnets.find((each) => contains(parseSubnet(each), parseIp(address)));
  if (subnet === undefined) return;
  const holder = Object.keys(workloads).find((name) => workloads[name]!.addresses?.includes(address));
  const instead = holder === undefined ? "an address outside is expected" : `name its workload: "${holder}"`;
  failures.add("to.address", "inside", `${address} is in subnet ${subnet} of the network; ${instead}`);
}

/** Each pair needs a family in common. */
function checkFamilies(spec: IntentSpec, from: readonly string[], to: readonly string[] | string, { workloads }: IntentSubject, failures: Failures): void {
  const familiesOf = (name: string) => workloads[name]!.addresses?.map((address) => parseIp(address).family);
  const required = typeof to === "string" ? parseIp(to).family : spec.family;
  if (spec.family !== undefined && required !== spec.family) failures.add("family", "family", `${String(to)} is IPv${required}`);
  if (required !== undefined) {
    const without = [...from, ...(typeof to === "string" ? [] : to)].find((name) => familiesOf(name)?.includes(required) === false);
    if (without !== undefined)
      failures.add(spec.family === undefined ? "to.address" : "family", "family", `workload "${without}" has no IPv${required} address`);
    return;
  }
  const sets = (names: readonly string[]) => new Map(names.map((name) => [String(familiesOf(name)?.toSorted() ?? "4,6"), name]));
  for (const [ownText, sender] of sets(from))
    for (const [otherText, receiver] of sets(to as readonly string[]))
      if (![...ownText].some((letter) => /\d/.test(letter) && otherText.includes(letter)))
        failures.add("to", "family", `"${sender}" and "${receiver}" have no IP family in common`);
}

/** Source and node are only decided for packets that leave. */
function checkLeaving({ sourceAddress, byNode }: IntentSpec, to: readonly string[] | string, reach: boolean, subject: IntentSubject, failures: Failures): void {
  for (const [name, value] of Object.entries({ sourceAddress, byNode })) {
    if (value === undefined) continue;
    if (typeof to !== "string") failures.add(name, "value", "is for packets that leave the network: to: { address: ... }");
    else if (!reach) failures.add(name, "value", "is for packets that arrive: reach: true");
  }
  if (sourceAddress !== undefined && !subject.decidesSource)
    failures.add("sourceAddress", "value", "is decided by the virtual router, which is not part of this program");
  if (sourceAddress !== undefined && typeof to === "string")
    asList(sourceAddress).forEach((address, index) => {
      if (parseIp(address).family !== parseIp(to).family)
        failures.add(
          typeof sourceAddress === "string" ? "sourceAddress" : propertyPath(["sourceAddress", index]),
          "family",
          `${address} is of another family than ${to}`,
        );
    });
  if (byNode === undefined) return;
  asList(byNode).forEach((node, index) => {
    if (subject.nodes.includes(node)) return;
    const path = typeof byNode === "string" ? "byNode" : propertyPath(["byNode", index]);
    failures.add(path, "unknown-node", `"${node}" is not one of ${listed([...subject.nodes].sort(), MOST_NAMED)}${didYouMean(node, subject.nodes)}`);
  });
}
