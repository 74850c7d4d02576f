import { execFileSync } from "node:child_process";
import { join } from "node:path";
import fc from "fast-check";
import { SAMPLE } from "../unit/vpc/sample";
import { dual } from "../unit/topology/networks";

jest.setTimeout(120_000);

type Path = readonly (string | number)[];
type Tree = { readonly [key: string]: unknown };

const node1 = {
  ...dual.nodes["node1"],
  zone: "z1",
  hostAddresses: ["172.18.0.11", "fc00:f853:ccd:e793::b"],
  furtherExternals: { storage: { addresses: ["10.50.0.4/24"], routes: { disks: { prefix: "10.60.0.0/16", nextHops: ["10.50.0.1"] } } } },
  additionalChassis: { h9: { tunnelAddresses: ["198.18.0.9"] } },
};
const network = {
  ...dual,
  nodes: { ...dual.nodes, node1 },
  workloads: { ...dual.workloads, vm1: { ...dual.workloads!["vm1"], mac: "0a:58:00:00:00:77", migration: { to: "node3" } } },
  management: { services: ["10.96.0.0/16"] },
  networkId: 7,
  masquerade: { hostFlows: true },
  mtu: 1400,
  advertised: { translateTo: ["172.18.0.0/24"], isolateFrom: ["10.7.0.0/16"], importRoutes: { table: 4001, uplink: "eth0" } },
  zones: ["z1"],
  waitFor: "chassis",
  waitTimeout: 60,
};
const access = {
  zones: { z: { router: "r", nodes: { a: { routerPort: "rtos-a", hostAddresses: ["172.18.0.11"], management: { addresses: ["192.168.1.2"] } } } } },
};

/** Components with their arguments, and the arguments that are an output. */
const COMPONENTS: readonly (readonly [kind: string, args: object, later: readonly Path[]])[] = [
  ["Layer2Network", network, [["mtu"], ["subnets", 0], ["nodes", "node2", "id"], ["nodes", "node3", "external"], ["workloads", "vm2"]]],
  ["Vpc", { ...SAMPLE, enabled: true, tunnelType: "vxlan" }, [["enabled"], ["hosts"], ["acls"], ["workloads", "d2", "addresses"]]],
  ["NodeLocalAccess", access, [["zones", "z", "router"]]],
];

/** Paths of all values in a tree. */
function paths(value: unknown, at: Path = []): Path[] {
  const own = at.length > 0 ? [at] : [];
  if (typeof value !== "object" || value === null) return own;
  return [...own, ...Object.entries(value as Tree).flatMap(([key, inner]) => paths(inner, [...at, Array.isArray(value) ? Number(key) : key]))];
}

const startsWith = (path: Path, start: Path) => start.every((key, index) => path[index] === key);

const cases = fc.constantFrom(...COMPONENTS).chain(([kind, args, laters]) =>
  fc
    .record({
      kind: fc.constant(kind),
      args: fc.constant(args),
      later: fc.constantFrom(...laters),
      isKnown: fc.boolean(),
      path: fc.constantFrom(...paths(args)),
      odd: fc.constantFrom("null", "null", "undefined", "text", "number", "true", "list", "object", "hole", "function", "NaN"),
    })
    .filter(({ later, path }) => !startsWith(path, later)),
);

it("refuses an invalid value next to an output, with its property path, and never throws a TypeError", () => {
  const sample = fc.sample(cases, { numRuns: 150 });
  const root = join(__dirname, "../..");
  const stdout = execFileSync(process.execPath, [join(root, "test/support/odd-arguments.js")], { cwd: root, input: JSON.stringify(sample), encoding: "utf8" });
  const reports = sample.map(({ args: _args, ...about }, index) => ({ ...about, errors: (JSON.parse(stdout) as string[][])[index]! }));
  expect(reports.filter(({ kind, errors }) => !errors.every((text) => isRefusal(kind, text)))).toEqual([]);
  // No argument may be null. In a preview that lacks a value, the check of all arguments has not run.
  const accepted = reports.filter(
    ({ odd, isKnown, path, errors }) => odd === "null" && isKnown && !errors.some((text) => text.includes(`\n  ${String(path[0])}`)),
  );
  expect(accepted).toEqual([]);
});

/** Whether a text has the name of the resource, and a path and a code in each line. */
function isRefusal(kind: string, text: string): boolean {
  const [first, ...lines] = text.split("\n");
  return first === `${kind} "it" can't be made from these arguments:` && lines.length > 0 && lines.every((line) => /^ {2}\w\S*: .* \[[\w-]+\]$/.test(line));
}
