import { type Failures, propertyPath } from "../../kit/arguments/failures";
import { sortedEntries } from "../../kit/entries";
import { BUILT_IN_LISTS, isBuiltIn } from "./flows/acl-flows";
import type { AclRule } from "./args";
import { isSixth } from "./flows/flow";
import { checkKnown } from "./known";

/** Checks the program's lists, and the tiers' references to lists. */
export function checkAcls(
  acls: Readonly<Record<string, readonly AclRule[]>>,
  tiers: Readonly<Record<string, { readonly acl: string }>>,
  failures: Failures,
): void {
  for (const [list, rules] of sortedEntries(acls)) {
    if (isBuiltIn(list)) failures.add(propertyPath(["acls", list]), "reserved", `"${list}" is a built-in list; choose another name`);
    const numbers = new Map<number, number>();
    rules.forEach((rule, index) => {
      const at = (...path: PropertyKey[]) => propertyPath(["acls", list, index, ...path]);
      const other = numbers.get(rule.number);
      if (other !== undefined) failures.add(at("number"), "duplicate", `number ${rule.number} is already used by ${propertyPath(["acls", list, other])}`);
      numbers.set(rule.number, index);
      checkRule(rule, at, failures);
    });
  }
  const known = { ...Object.fromEntries(BUILT_IN_LISTS.map((list) => [list, true])), ...acls };
  for (const [name, { acl }] of sortedEntries(tiers)) checkKnown("acl", acl, known, propertyPath(["tiers", name, "acl"]), failures);
}

const WITH_PORTS: ReadonlySet<unknown> = new Set(["tcp", "udp", "sctp"]);
const FAMILY_OF = new Map<unknown, 4 | 6>([
  ["icmp", 4],
  ["icmpv6", 6],
]);

function checkRule({ protocol, ports, icmpType, icmpCode, cidrs }: AclRule, at: (...path: PropertyKey[]) => string, failures: Failures): void {
  if (ports !== undefined && !WITH_PORTS.has(protocol)) {
    if (protocol === undefined) failures.add(at("protocol"), "required", `is required with ports ${ports}: tcp, udp or sctp`);
    else failures.add(at("ports"), "value", `protocol ${protocol} has no ports; tcp, udp and sctp do`);
  }
  const family = FAMILY_OF.get(protocol);
  if (icmpType !== undefined && family === undefined) {
    if (protocol === undefined) failures.add(at("protocol"), "required", `is required with ICMP type ${icmpType}: icmp or icmpv6`);
    else failures.add(at("icmpType"), "value", `protocol ${protocol} has no ICMP types; icmp and icmpv6 do`);
  }
  if (icmpCode !== undefined && icmpType === undefined) failures.add(at("icmpType"), "required", `is required with ICMP code ${icmpCode}`);
  if (cidrs?.length === 0) failures.add(at("cidrs"), "required", "an empty list matches nothing; leave it out for every address");
  cidrs?.forEach((cidr, index) => {
    if (family !== undefined && isSixth(cidr) !== (family === 6))
      failures.add(at("cidrs", index), "family", `${cidr} is not an IPv${family} subnet, which ${protocol} needs`);
  });
}
