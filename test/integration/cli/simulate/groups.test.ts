import fc from "fast-check";
import {
  type Answer,
  ask,
  fromText,
  type Plan,
  programs,
  questionGroups,
  questionsOf,
  Shadows,
  toText,
  tracing,
  tracingAlike,
  worldBefore,
} from "@pulumi-ovn/cli/testing";
import { type Declared, partsOf, planBetween } from "../../../support/planned";

jest.setTimeout(300_000);

const SWITCH = { table: "Logical_Switch", row: "blue_ovn_layer2_switch" };
const ROUTER = { table: "Logical_Router", row: "blue_transit_router" };
const NODES = ["node1", "node2"];
const addressOf = (vm: number) => `203.203.0.${20 + vm}`;

const vm = fc.integer({ min: 0, max: 5 });
const several = fc.uniqueArray(vm, { minLength: 1, maxLength: 4 });
/** Matches that distinguish some workloads, in each way that OVN has. */
const end = (port: "inport" | "outport", field: "src" | "dst") =>
  fc.oneof(
    vm.map((one) => `${port} == "vm${one}"`),
    several.map((all) => `${port} == {${all.map((one) => `"vm${one}"`).join(", ")}}`),
    vm.map((one) => `ip4.${field} == ${addressOf(one)}`),
    several.map((all) => `ip4.${field} == {${all.map(addressOf).join(", ")}}`),
    fc.constantFrom(`ip4.${field} == 203.203.0.20/30`, `ip4.${field} == 203.203.0.22/255.255.255.254`),
    fc.constantFrom(`ip4.${field} == $some`, `ip4.${field} != $some`),
  );
const acl = fc.record({
  from: end("inport", "src"),
  to: end("outport", "dst"),
  way: fc.constantFrom("from-lport", "to-lport"),
  protocol: fc.constantFrom("ip4", "icmp4", "tcp.dst == 22"),
  action: fc.constantFrom("drop", "allow-related", "reject"),
  priority: fc.integer({ min: 1000, max: 1020 }),
});
const drawn = fc.record({
  workloads: fc.array(fc.constantFrom(...NODES), { minLength: 6, maxLength: 6 }),
  some: several,
  acls: fc.uniqueArray(acl, { minLength: 1, maxLength: 2, selector: ({ priority }) => priority }),
  policy: fc.option(several),
});

function declared({ workloads, some, acls, policy }: typeof drawn extends fc.Arbitrary<infer T> ? T : never): Declared[] {
  const entries = {
    some: { table: "Address_Set", columns: { name: "some", addresses: some.map(addressOf) } },
    ...Object.fromEntries(
      acls.map(({ from, to, way, protocol, action, priority }, index) => [
        `acl${index}`,
        {
          table: "ACL",
          // Before its own port is known, a packet has no outport.
          columns: { direction: way, priority, match: way === "from-lport" ? `${from} && ${protocol}` : `${to} && ${protocol}`, action },
          parent: { ...SWITCH, column: "acls" },
        },
      ]),
    ),
    ...(policy && {
      policy: {
        table: "Logical_Router_Policy",
        columns: { priority: 100, match: `ip4.src == {${policy.map(addressOf).join(", ")}}`, action: "reroute", nexthops: ["100.88.0.5"] },
        parent: { ...ROUTER, column: "policies" },
      },
    }),
  };
  const network = {
    name: "blue",
    subnets: ["203.203.0.0/16"],
    tunnelKeys: { switch: 16715779, router: 16715780 },
    nodes: Object.fromEntries(
      NODES.map((node, index) => [node, { id: index + 2, external: { addresses: [`172.18.0.${11 + index}/24`], nextHops: ["172.18.0.1"] } }]),
    ),
    workloads: Object.fromEntries(workloads.map((node, index) => [`vm${index}`, { node, addresses: [addressOf(index)] }])),
  };
  return [...partsOf(network), ...NODES.map((zone) => ({ kind: "NorthboundRows", name: `rules-${zone}`, args: { zone, entries } }))];
}

async function checkGroups(plan: Plan): Promise<number> {
  await using shadows = await Shadows.create(programs);
  const world = await worldBefore(plan, shadows, () => () => undefined);
  expect(world.omissions).toEqual([]);
  const single = tracing(world, shadows.trace.bind(shadows));
  const alike = tracingAlike(world, single);
  const textOf = (from: string, to: string, protocol: unknown) => JSON.stringify([from, to, protocol]);
  const answers = new Map<string, Answer>();
  for (const { after } of questionsOf(world, world)) {
    const answer = await ask(world, single, after);
    expect(await ask(world, alike, after)).toEqual(answer);
    answers.set(textOf(fromText(after), toText(after), [after.family, after.protocol]), answer);
  }
  let count = 0;
  const groups = questionGroups(world, world);
  for (const { after, senders, receivers } of groups) {
    const wanted = answers.get(textOf(fromText(after), toText(after), [after.family, after.protocol]))!;
    for (const from of senders)
      for (const to of receivers.filter((each) => each !== from)) {
        const { reach, there, back } = answers.get(textOf(from, to, [after.family, after.protocol]))!;
        expect([from, to, reach, there.outcome.kind, back?.outcome.kind]).toEqual([
          from,
          to,
          wanted.reach,
          wanted.there.outcome.kind,
          wanted.back?.outcome.kind,
        ]);
        count++;
      }
  }
  expect(count).toBe(answers.size);
  return answers.size - groups.length;
}

it("answers for groups of workloads as for each workload, in networks drawn at random", async () => {
  let saved = 0;
  const property = fc.asyncProperty(drawn, async (network) => {
    saved += await checkGroups(await planBetween(declared(network), []));
  });
  // A prefix distinguishes workloads that no flow names.
  const prefix = {
    from: "ip4.src == 203.203.0.20/30",
    to: "ip4.dst == 203.203.0.20/30",
    way: "from-lport",
    protocol: "ip4",
    action: "drop",
    priority: 1000,
  } as const;
  const example = { workloads: Array.from({ length: 6 }, () => "node1"), some: [0], acls: [prefix], policy: null };
  await fc.assert(property, { numRuns: 12, examples: [[example]] });
  expect(saved).toBeGreaterThan(0);
});
