import * as fc from "fast-check";
import type { Difference } from "@pulumi-ovn/cli/diff";
import { type ResourceDifference, sumOf } from "@pulumi-ovn/cli/testing";

/** Texts that try to end a code block, a cell or an element, to mention people, to move the cursor, or that are long. */
const HOSTILE = [
  "```",
  "````\n",
  "`",
  "` `",
  "|",
  "\\|",
  "</summary></details>",
  "<img src=x onerror=1>",
  "&lt;",
  "@everyone",
  "#1",
  "**",
  "_",
  "[a](http://b)",
  "<!-- ",
  "-->",
  "- x",
  "\n\n# heading",
  "~~~",
  "\u001b[2J",
  "\u202e",
  "\r\n",
  "\u0000",
  "\ud800",
  "é",
  "🌊",
  "日本",
  "",
  " ",
  "x=1",
  '"',
  "node1",
  "__proto__",
  "constructor",
];
export const hostile = fc.oneof(
  fc.constantFrom(...HOSTILE),
  fc.array(fc.constantFrom(...HOSTILE), { maxLength: 5 }).map((parts) => parts.join("")),
  fc.string({ unit: "binary", maxLength: 20 }),
  fc.tuple(fc.constantFrom("a", "é", "🌊", "`", "<", "\u0001"), fc.constantFrom(150, 150, 3_000, 30_000)).map(([unit, times]) => unit.repeat(times)),
);
const short = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("a", "b", "node1", "vm1") }, { weight: 1, arbitrary: hostile });
const cell = fc.option(hostile, { nil: null });

const row = fc
  .record({
    operation: fc.constantFrom("add" as const, "adopt" as const, "change" as const, "remove" as const),
    table: short,
    row: hostile,
    columns: fc.array(fc.record({ column: short, before: cell, after: cell }), { maxLength: 4 }),
    taken: fc.constantFrom(undefined, "adopted" as const, "shared" as const),
  })
  .map(({ taken, ...all }) => ({
    ...all,
    ...(taken && { adoption: taken }),
    // As they are made: what comes has nothing before.
    columns: all.columns.map((column) =>
      all.operation === "add"
        ? { ...column, before: null, after: column.after ?? "x" }
        : all.operation === "remove"
          ? { ...column, before: column.before ?? "x", after: null }
          : column,
    ),
  }));

const resource = fc.record(
  {
    kind: short,
    name: short,
    operation: fc.constantFrom<ResourceDifference["operation"]>("create", "update", "replace", "move-in", "move-out", "delete", "forget"),
    replaceReasons: fc.array(short, { minLength: 1, maxLength: 2 }),
    counts: fc.record({ added: fc.nat(9), adopted: fc.nat(9), changed: fc.nat(9), removed: fc.nat(9), recreated: fc.nat(9), uncounted: fc.nat(1) }),
    rows: fc.array(row, { maxLength: 6 }),
    drift: fc.array(fc.record({ row: short, found: short }), { maxLength: 2 }),
    tables: fc.array(fc.record({ table: short, before: fc.nat(), after: fc.nat() }), { maxLength: 2 }),
    untold: fc.constantFrom("secret" as const, "unknown" as const, "unobserved" as const),
  },
  { requiredKeys: ["kind", "name", "operation", "counts", "rows"] },
);

const simulated = fc.record({
  project: short,
  stack: short,
  questions: fc.nat(),
  effects: fc.array(
    fc.record({
      kind: fc.constantFrom("lost" as const, "gained" as const, "otherwise" as const, "unknown" as const),
      from: fc.array(short, { minLength: 1, maxLength: 10 }),
      to: fc.array(hostile, { minLength: 1, maxLength: 3 }),
      packets: fc.constant(["icmp IPv4"]),
      cause: fc.record({ kind: fc.constant("decides" as const), row: hostile }),
      differences: fc.array(hostile, { maxLength: 2 }),
    }),
    { maxLength: 4 },
  ),
  announcements: fc.array(
    fc.record({ resource: hostile, node: short, added: fc.array(short, { maxLength: 14 }), removed: fc.array(short, { maxLength: 2 }) }),
    {
      maxLength: 3,
    },
  ),
  intents: fc.constant([]),
  impact: fc.array(fc.record({ zone: short, datapath: hostile, added: fc.nat(), removed: fc.nat() }), { maxLength: 4 }),
  flows: fc.array(fc.record({ host: short, bridge: hostile, added: fc.nat(), removed: fc.nat() }), { maxLength: 4 }),
  omissions: fc.array(fc.record({ zone: short, resource: hostile, why: hostile }), { maxLength: 2 }),
  unknowns: fc.array(hostile, { maxLength: 2 }),
});

/** Differences as no stack has them. */
export const difference: fc.Arbitrary<Difference> = fc
  .record({
    project: short,
    stack: short,
    failed: fc.boolean(),
    diagnostics: fc.array(
      fc.record(
        { severity: fc.constantFrom("error" as const, "warning" as const), message: hostile, resource: short },
        { requiredKeys: ["severity", "message"] },
      ),
      { maxLength: 5 },
    ),
    places: fc.array(fc.tuple(short, fc.array(resource, { minLength: 1, maxLength: 3 })), { maxLength: 6 }),
    hosts: fc.nat(2),
    clusters: fc.nat(2),
    intents: fc.array(
      fc.record({
        kind: fc.constantFrom("Layer2Network", "Vpc"),
        network: short,
        operation: fc.constantFrom("add" as const, "change" as const, "remove" as const),
        intent: hostile,
      }),
      { maxLength: 3 },
    ),
    others: fc.array(
      fc.record({
        operation: fc.constantFrom("create", "update", "replace", "delete", "forget", "import"),
        type: short,
        name: short,
        ovn: fc.boolean(),
        properties: fc.array(short, { maxLength: 3 }),
      }),
      { maxLength: 5 },
    ),
  })
  .chain((made) => fc.option(simulated, { nil: undefined }).map((effects) => ({ ...made, effects })))
  .map(({ places, hosts: atHosts, clusters: inClusters, effects, ...rest }) => {
    const all = places.map(([name, resources]) => ({ name, counts: sumOf(resources.map(({ counts }) => counts)), resources }));
    const hosts = all.slice(0, atHosts).map(({ name, ...changes }) => ({ host: name, ...changes }));
    const clusters = all.slice(atHosts, atHosts + inClusters).map(({ name, ...changes }) => ({ cluster: name, ...changes }));
    const zones = all.slice(atHosts + inClusters).map(({ name, ...changes }) => ({ zone: name, ...changes }));
    return {
      ...rest,
      ...(effects && { simulated: effects }),
      zones,
      hosts,
      clusters,
      counts: { zones: zones.length, hosts: hosts.length, clusters: clusters.length, ...sumOf(all.map(({ counts }) => counts)) },
    };
  });
