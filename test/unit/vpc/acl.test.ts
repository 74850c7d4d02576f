import fc from "fast-check";
import { aclFlows, type AclRule, priorityOf, ruleMatches } from "@pulumi-ovn/provider/testing";
import { ROUTER_TABLE as TABLE } from "@pulumi-ovn/provider/tools";
import { type Packet, FlowTables } from "./flow-tables";

const TIERS = { web: { key: 7, cidrs: ["10.1.1.0/24", "fd01::/64"], acl: "own" } };

const stage = (rules: readonly AclRule[]) => aclFlows({ tiers: TIERS, acls: { own: rules } });

const rule = (rest: Partial<AclRule>): AclRule => ({ number: 10, action: "allow", direction: "ingress", ...rest });

test("a list's flows: lowest number first, ranges as masks, protocols by number or name, both families, and the list's end", () => {
  const rules = [
    rule({ number: 30, action: "deny", cidrs: ["10.1.2.0/24", "fd02::/64"] }),
    rule({ number: 20, protocol: "tcp", ports: "8000-8079", cidrs: ["10.1.2.0/24"] }),
    rule({ number: 40, protocol: 47, cidrs: ["10.1.3.3/32"] }),
    rule({ number: 50, direction: "egress", action: "deny", protocol: "icmpv6", icmpType: 128, icmpCode: 0 }),
  ];
  expect(stage(rules)).toEqual([
    "table=4,priority=65485,in_port=pr7,icmp6,icmp_type=128,icmp_code=0,actions=drop",
    "table=4,priority=0,in_port=pr7,actions=resubmit(,5)",
    "table=5,priority=65515,reg0=7,tcp,nw_src=10.1.2.0/24,tp_dst=0x1f40/0xffc0,actions=resubmit(,6)",
    "table=5,priority=65515,reg0=7,tcp,nw_src=10.1.2.0/24,tp_dst=0x1f80/0xfff0,actions=resubmit(,6)",
    "table=5,priority=65515,reg0=7,tcp,nw_src=10.1.2.0/24,nw_frag=later,actions=resubmit(,6)",
    "table=5,priority=65505,reg0=7,ip,nw_src=10.1.2.0/24,actions=drop",
    "table=5,priority=65505,reg0=7,ipv6,ipv6_src=fd02::/64,actions=drop",
    "table=5,priority=65495,reg0=7,ip,nw_proto=47,nw_src=10.1.3.3/32,actions=resubmit(,6)",
    "table=5,priority=0,reg0=7,actions=drop",
  ]);
});

test.each([
  ["default_allow", "resubmit(,5)", "resubmit(,6)"],
  ["default_deny", "drop", "drop"],
])("the list %s", (acl, egress, ingress) => {
  expect(aclFlows({ tiers: { web: { ...TIERS.web, acl } }, acls: {} })).toEqual([
    `table=4,priority=0,in_port=pr7,actions=${egress}`,
    `table=5,priority=0,reg0=7,actions=${ingress}`,
  ]);
});

test.each(["constructor", "hasOwnProperty", "valueOf"])("a list may have the name %s", (acl) => {
  expect(aclFlows({ tiers: { web: { ...TIERS.web, cidrs: ["10.1.1.0/24"], acl } }, acls: { [acl]: [rule({})] } })).toEqual([
    "table=4,priority=0,in_port=pr7,actions=resubmit(,5)",
    "table=5,priority=65525,reg0=7,ip,actions=resubmit(,6)",
    "table=5,priority=0,reg0=7,actions=drop",
  ]);
});

test("a tier of one family has no flows of the other one", () => {
  expect(aclFlows({ tiers: { web: { key: 7, cidrs: ["fd01::/64"], acl: "own" } }, acls: { own: [rule({})] } })[1]).toBe(
    "table=5,priority=65525,reg0=7,ipv6,actions=resubmit(,6)",
  );
});

test.each<[string, Partial<AclRule>, string[][]]>([
  ["every protocol", {}, [["ip"], ["ipv6"]]],
  ["every address of one family", { cidrs: ["0.0.0.0/0"] }, [["ip"]]],
  [
    "every address of both families",
    { protocol: "udp", cidrs: ["0.0.0.0/0", "::/0", "10.0.0.0/8"] },
    [["udp"], ["udp6"], ["ipv6", "nw_proto=44", "nw_frag=later"]],
  ],
  ["a number with a name", { protocol: 6 }, [["tcp"], ["tcp6"], ["ipv6", "nw_proto=44", "nw_frag=later"]]],
  ["sctp", { protocol: "sctp", direction: "egress", cidrs: ["10.0.0.0/8"] }, [["sctp", "nw_dst=10.0.0.0/8"]]],
  ["icmp is of IPv4", { protocol: "icmp" }, [["icmp"]]],
  [
    "icmpv6 is of IPv6",
    { protocol: "icmpv6", cidrs: ["fd00::/8"] },
    [
      ["icmp6", "ipv6_src=fd00::/8"],
      ["ipv6", "nw_proto=44", "ipv6_src=fd00::/8", "nw_frag=later"],
    ],
  ],
  [
    "number 0",
    { protocol: 0, cidrs: ["::/0"] },
    [
      ["ipv6", "nw_proto=0"],
      ["ipv6", "nw_proto=44", "nw_frag=later"],
    ],
  ],
  ["fragments themselves", { protocol: 44, cidrs: ["::/0"] }, [["ipv6", "nw_proto=44"]]],
  ["a denied protocol of IPv6, which later fragments do not name", { action: "deny", protocol: "udp", cidrs: ["::/0"] }, [["udp6"]]],
  [
    "an allowed port and later fragments of its packets",
    { protocol: "tcp", ports: "80", cidrs: ["10.0.0.0/8"] },
    [
      ["tcp", "nw_src=10.0.0.0/8", "tp_dst=80"],
      ["tcp", "nw_src=10.0.0.0/8", "nw_frag=later"],
    ],
  ],
  [
    "a denied port does not affect later fragments",
    { action: "deny", protocol: "tcp", ports: "80", cidrs: ["10.0.0.0/8"] },
    [["tcp", "nw_src=10.0.0.0/8", "tp_dst=80"]],
  ],
  ["a denied echo reply is not a later fragment", { action: "deny", protocol: "icmp", icmpType: 0 }, [["icmp", "icmp_type=0", "nw_frag=not_later"]]],
])("%s", (_what, rest, expected) => {
  expect(ruleMatches(rule(rest), [4, 6])).toEqual(expected);
});

const octet = fc.integer({ min: 0, max: 3 });
const cidr = fc.tuple(octet, fc.constantFrom(24, 32)).map(([n, length]) => (length === 24 ? `10.1.${n}.0/24` : `10.1.${n}.${n}/32`));
const ports = fc.tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 0, max: 9 })).map(([first, more]) => `${first}-${first + more}`);
const protocols = fc.oneof(
  fc.record({ protocol: fc.constantFrom("tcp" as const, "udp" as const), ports }),
  fc.record({ protocol: fc.constantFrom("tcp" as const, "udp" as const, "icmp" as const, 47) }),
  fc.constant({}),
);
const rules = fc
  .uniqueArray(
    fc.tuple(
      fc.integer({ min: 1, max: 65_534 }),
      fc.constantFrom("allow" as const, "deny" as const),
      fc.constantFrom("ingress" as const, "egress" as const),
      protocols,
      fc.option(fc.uniqueArray(cidr, { minLength: 1, maxLength: 3 }), { nil: undefined }),
    ),
    { selector: ([number]) => number, maxLength: 8 },
  )
  .map((list) => list.map(([number, action, direction, rest, cidrs]): AclRule => ({ number, action, direction, ...rest, ...(cidrs && { cidrs }) })));
const packets = fc.record({
  src: octet.map((n) => `10.1.${n}.${n}`),
  dst: octet.map((n) => `10.1.${n}.${n}`),
  protocol: fc.constantFrom(6, 17, 1, 47),
  port: fc.integer({ min: 1, max: 32 }),
});

/** Rules for a later fragment: denying rules with ports do not apply, allowing ones let it pass. */
const forLater = (list: readonly AclRule[]): AclRule[] =>
  list.filter(({ action, ports }) => action === "allow" || ports === undefined).map(({ ports: _, ...rest }) => rest);

const NUMBERS: Readonly<Record<string, number>> = { tcp: 6, udp: 17, icmp: 1 };

/** Verdict of the list about a packet, in the plain reading. */
function verdict(list: readonly AclRule[], direction: AclRule["direction"], { src, dst, protocol, port }: Packet): AclRule["action"] {
  const end = direction === "ingress" ? src : dst;
  const inside = (subnet: string) => (subnet.endsWith("/32") ? `${end}/32` === subnet : end.startsWith(subnet.slice(0, -4)));
  const hit = list
    .filter((one) => one.direction === direction)
    .toSorted((a, b) => a.number - b.number)
    .find((one) => {
      const [first, last] = (one.ports ?? "0-65535").split("-").map(Number) as [number, number];
      return (
        (one.protocol === undefined || (NUMBERS[one.protocol] ?? one.protocol) === protocol) &&
        (one.ports === undefined || (port >= first && port <= last)) &&
        (one.cidrs?.some(inside) ?? true)
      );
    });
  return hit?.action ?? (direction === "ingress" ? "deny" : "allow");
}

test("flows decide about any packet as the list does, in both directions", () => {
  fc.assert(
    fc.property(rules, packets, (list, packet) => {
      const tables = new FlowTables(stage(list));
      const egress = tables.decide(TABLE.egressAcl, { ...packet, in_port: "pr7" });
      const ingress = tables.decide(TABLE.ingressAcl, { ...packet, reg0: 7 });
      expect([egress, ingress]).toEqual([
        verdict(list, "egress", packet) === "allow" ? "resubmit(,5)" : "drop",
        verdict(list, "ingress", packet) === "allow" ? "resubmit(,6)" : "drop",
      ]);
    }),
    { numRuns: 500 },
  );
});

test("flows decide about later fragments as the list does about all packets that they could belong to", () => {
  fc.assert(
    fc.property(rules, packets, (list, packet) => {
      const tables = new FlowTables(stage(list));
      const ingress = tables.decide(TABLE.ingressAcl, { ...packet, port: 0, later: true, reg0: 7 });
      expect(ingress).toBe(verdict(forLater(list), "ingress", packet) === "allow" ? "resubmit(,6)" : "drop");
    }),
    { numRuns: 500 },
  );
});

test("rules of different numbers have different priorities, none of which is the end's", () => {
  expect([priorityOf({ number: 1 }), priorityOf({ number: 2 }), priorityOf({ number: 65_534 })]).toEqual([65_534, 65_533, 1]);
});
