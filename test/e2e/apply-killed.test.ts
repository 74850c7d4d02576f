import { spawn } from "node:child_process";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { processTree, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { ApplyStack, idIn } from "../support/apply-stack";
import { type Dump, difference, NO_DIFFERENCE } from "../support/dump";
import { killAll } from "../support/processes";
import { until } from "../support/until";
import { finished } from "../support/workspace";

/** Random plans. `npm test` has few; docs/how-to/apply.md has the number of a long run. */
const ROUNDS = Number(process.env.OVN_ROUNDS ?? 3);
/** A failure shows it. */
const SEED = Number(process.env.OVN_SEED ?? Date.now() % 1_000_000);
jest.setTimeout(120_000 + ROUNDS * 120_000);

interface Version {
  readonly subnet: number;
  /** Workloads of each zone, with an address. */
  readonly ports: readonly (readonly [workload: number, address: number])[];
  /** Zones with the workloads. */
  readonly zones: readonly string[];
  readonly sets: readonly (readonly [name: number, member: number])[];
  readonly hasGroup: boolean;
}

const version: fc.Arbitrary<Version> = fc.record({
  subnet: fc.constantFrom(14, 15),
  ports: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 3 })), {
    minLength: 1,
    maxLength: 5,
    selector: ([workload]) => workload,
  }),
  zones: fc.subarray(["node1", "node2"]),
  sets: fc.uniqueArray(fc.tuple(fc.integer({ min: 0, max: 3 }), fc.integer({ min: 1, max: 9 })), { maxLength: 3, selector: ([name]) => name }),
  hasGroup: fc.boolean(),
});

function programOf({ subnet, ports, zones, sets, hasGroup }: Version): string {
  const workloads = Object.fromEntries(ports.map(([n, address]) => [`vm${n}`, { addresses: [`203.203.${address}.${n + 1}`], tunnelKey: 20 + n }]));
  const rows = Object.fromEntries(
    sets.map(([name, member]) => [`set${name}`, { table: "Address_Set", columns: { name: `set${name}`, addresses: [`10.0.0.${member}`] } }]),
  );
  return `
for (const zone of ["node1", "node2"]) {
  const sw = new ovn.Layer2Switch("sw-" + zone, { zone, name: "l2", subnets: ["203.${subnet === 14 ? 200 : 202}.0.0/${subnet}"], tunnelKey: 16715800 });
  if (${JSON.stringify(zones)}.includes(zone)) new ovn.WorkloadPorts("ports-" + zone, { zone, switch: sw.uuid, ports: ${JSON.stringify(workloads)} });
  if (${sets.length > 0}) new ovn.NorthboundRows("sets-" + zone, { zone, entries: ${JSON.stringify(rows)} });
  if (${hasGroup}) new ovn.NorthboundRows("group-" + zone, { zone, entries: { group: { table: "Port_Group", columns: { name: "group" } } } });
}`;
}

let stack: ApplyStack;
const versions = fc.sample(version, { numRuns: ROUNDS + 1, seed: SEED });
beforeAll(async () => {
  stack = await ApplyStack.start(programOf(versions[0]!));
  await stack.workspace.up();
});
afterAll(() => stack?.[Symbol.asyncDispose]());

/** Milliseconds from the first change of an apply to its end. */
let duration = 6000;

/** Runs an apply and kills it, with Pulumi, as a power cut does. Timers on hosts stay. @param share of the time that an apply takes */
async function killedAt(share: number) {
  const child = spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "apply", "--stack", "dev", "--revert-in", "10", "--probe", "true"], {
    cwd: stack.workspace.folder,
    env: stack.environment,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = finished(child);
  const begun = new Promise<void>((resolve) => child.stdout.on("data", (chunk: Buffer) => idIn(chunk.toString()) !== undefined && resolve()));
  await Promise.race([begun, ended]);
  const start = performance.now();
  await Promise.race([sleep(share * duration), ended]);
  killAll(processTree(child.pid!));
  const ran = await ended;
  duration = ran.code === null ? duration * 1.1 : performance.now() - start;
  return ran;
}

/** Rows of one zone, without the one that may have the record of an undone apply. */
const zoneOf = (dump: Dump, zone: string): Dump => new Map([...dump].filter(([row]) => row.startsWith(`${zone} `) && !row.includes(" NB_Global ")));
const isSame = (left: Dump, right: Dump) => JSON.stringify(difference(left, right)) === JSON.stringify(NO_DIFFERENCE);

it(`leaves each zone wholly before or wholly after when everything is killed at a random point (seed ${SEED})`, async () => {
  const { workspace, zones } = stack;
  const ids: string[] = [];
  let current = versions[0]!;
  for (const wanted of versions.slice(1)) {
    const before = await zones.northbound();
    await workspace.write(programOf(wanted));
    const { stdout, stderr } = await killedAt(Math.random() * 1.1);
    expect(stderr).toBe("");
    const id = idIn(stdout);
    if (id !== undefined) ids.push(id);
    await until(async () => !(await stack.records()).join().includes('apply-phase"=pending'));
    const found = await zones.northbound();
    await workspace.recover(); // a killed Pulumi leaves its lock
    const isAfter = ["node1", "node2"].filter((zone) => !isSame(zoneOf(before, zone), zoneOf(found, zone)));
    // Puts the state back, or finds nothing of an apply; after a confirmed one it changes everything back.
    await workspace.write(programOf(current));
    const next = await stack.apply();
    expect([next.code, next.stderr]).toEqual([0, ""]);
    expect(difference(before, await zones.northbound())).toEqual(NO_DIFFERENCE);
    if (isAfter.length > 0) {
      await workspace.write(programOf(wanted));
      await workspace.up();
      current = wanted;
      const after = await zones.northbound();
      for (const zone of isAfter) expect(difference(zoneOf(after, zone), zoneOf(found, zone))).toEqual(NO_DIFFERENCE);
    }
    expect(Object.keys(await workspace.changes("up", "--yes", "--skip-preview", "--refresh"))).toEqual(["same"]);
  }
  await stack.expectNothingLeft(...ids);
});
