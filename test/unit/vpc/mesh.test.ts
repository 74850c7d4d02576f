import { brokenMesh, type HostInterfaces, type MeshFacts, sessionPatience } from "@pulumi-ovn/provider/testing";
import type { InterfaceRow } from "@pulumi-ovn/provider/tools";

const works: InterfaceRow = { ofport: 3, error: ["set", []] };
const refused: InterfaceRow = { ofport: -1, error: "File exists" };
const spec = { host: "h1", tiers: { web: { key: 1 }, db: { key: 2 } } as never, remotes: ["h3", "h2"] };

/** The mesh as it should be, changed. */
function found(change: (all: Record<string, Record<string, InterfaceRow | undefined> | undefined>) => void): MeshFacts {
  const all: Record<string, Record<string, InterfaceRow | undefined> | undefined> = {};
  for (const host of ["h1", "h2", "h3"]) {
    const names = [1, 2].flatMap((key) => [`br-t${key}`, ...["h1", "h2", "h3"].filter((other) => other !== host).map((other) => `t${key}-${other}`)]);
    all[host] = Object.fromEntries(names.map((name) => [name, works]));
  }
  change(all);
  const map = (rows: Record<string, InterfaceRow | undefined>) =>
    new Map(Object.entries(rows).flatMap(([name, row]) => (row === undefined ? [] : [[name, row] as const])));
  return brokenMesh(spec, new Map(Object.entries(all).map(([host, rows]): [string, HostInterfaces] => [host, rows && map(rows)])));
}

it.each<[string, Parameters<typeof found>[0], MeshFacts]>([
  ["everything works", () => {}, {}],
  ["its own end is refused", (all) => (all["h1"]!["t2-h3"] = refused), { "h1 t2-h3": "File exists" }],
  ["its own end has no port", (all) => (all["h1"]!["t2-h3"] = { ...works, ofport: ["set", []] }), { "h1 t2-h3": "no port of its bridge" }],
  ["its own end is missing", (all) => (all["h1"]!["t2-h3"] = undefined), { "h1 t2-h3": "missing" }],
  ["the other end is refused", (all) => (all["h3"]!["t2-h1"] = refused), { "h3 t2-h1": "File exists" }],
  [
    "BFD is down at the other end, and up at its own",
    (all) => {
      all["h1"]!["t2-h3"] = {
        ...works,
        bfd_status: [
          "map",
          [
            ["forwarding", "true"],
            ["state", "up"],
          ],
        ],
      };
      all["h3"]!["t2-h1"] = {
        ...works,
        bfd_status: [
          "map",
          [
            ["forwarding", "false"],
            ["state", "down"],
          ],
        ],
      };
    },
    { "h3 t2-h1": "BFD is down" },
  ],
  ["BFD is not enabled", (all) => (all["h1"]!["t2-h3"] = { ...works, bfd_status: ["map", []] }), {}],
  ["the other end is missing", (all) => (all["h3"]!["t2-h1"] = undefined), { "h3 t2-h1": "missing" }],
  [
    "another host's bridge is missing, with its tunnels",
    (all) => ["br-t2", "t2-h1", "t2-h3"].forEach((name) => (all["h2"]![name] = undefined)),
    { "h2 t2-h1": "missing" },
  ],
  ["a tunnel of two others", (all) => ((all["h2"]!["t2-h3"] = refused), (all["h3"]!["t2-h2"] = undefined)), {}],
  [
    "several, in one order",
    (all) => ((all["h3"]!["t2-h1"] = refused), (all["h1"]!["t1-h2"] = undefined), (all["h2"]!["t1-h1"] = refused)),
    { "h1 t1-h2": "missing", "h2 t1-h1": "File exists", "h3 t2-h1": "File exists" },
  ],
  [
    "a tier that the update is about to make",
    (all) =>
      Object.values(all).forEach((rows) =>
        Object.keys(rows!)
          .filter((name) => /^(br-)?t2/.test(name))
          .forEach((name) => (rows![name] = undefined)),
      ),
    {},
  ],
  ["a host that the update is about to make", (all) => ((all["h2"] = {}), [1, 2].forEach((key) => (all["h1"]![`t${key}-h2`] = undefined))), {}],
  [
    "its own bridge is missing, with its tunnels",
    (all) => ["br-t2", "t2-h2", "t2-h3"].forEach((name) => (all["h1"]![name] = undefined)),
    { "h1 br-t2": "missing", "h1 t2-h2": "missing", "h1 t2-h3": "missing" },
  ],
  [
    "its own bridge is missing, and another host has no tunnel to it",
    (all) => (["br-t2", "t2-h2", "t2-h3"].forEach((name) => (all["h1"]![name] = undefined)), (all["h3"]!["t2-h1"] = undefined)),
    { "h1 br-t2": "missing", "h1 t2-h2": "missing" },
  ],
  [
    "its own bridge is missing, and no other host is reachable: it may be new",
    (all) => ((all["h1"]!["br-t2"] = undefined), (all["h2"] = undefined), (all["h3"] = undefined)),
    {},
  ],
  ["only another host's bridge is missing", (all) => (all["h2"]!["br-t2"] = undefined), {}],
  ["a host that can't be reached", (all) => (all["h2"] = undefined), {}],
  [
    "a host that can't be reached, and an end of its own that is refused",
    (all) => ((all["h2"] = undefined), (all["h1"]!["t1-h2"] = refused)),
    { "h1 t1-h2": "File exists" },
  ],
  ["an unreachable host, and a missing end of its own: it may be new", (all) => ((all["h2"] = undefined), (all["h1"]!["t1-h2"] = undefined)), {}],
  ["itself can't be reached", (all) => ((all["h1"] = undefined), (all["h2"]!["t1-h1"] = refused)), { "h2 t1-h1": "File exists" }],
])("%s", (_, change, expected) => {
  const facts = found((all) => change(all));
  expect(facts).toEqual(expected);
  expect(Object.keys(facts)).toEqual(Object.keys(expected));
});

const session = (state: string, flaps: string): InterfaceRow => ({
  ...works,
  bfd_status: [
    "map",
    [
      ["flap_count", flaps],
      ["state", state],
    ],
  ],
});

it.each<[string, InterfaceRow, InterfaceRow, number]>([
  ["no BFD", works, works, 0],
  ["both up", session("up", "1"), session("up", "3"), 0],
  ["one is down", session("up", "1"), session("down", "2"), 4_000],
  ["one has never been up", session("down", "2"), session("init", "0"), 10_000],
])("the wait for sessions: %s", (_, own, other, patience) => {
  const interfaces = new Map([
    ["h1", new Map([["t2-h3", own]])],
    ["h3", new Map([["t2-h1", other]])],
  ]);
  expect(sessionPatience(spec, interfaces)).toBe(patience);
});
