import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type Operation } from "@pulumi-ovn/ovsdb-client";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { finished } from "../../../support/workspace";
import { TestZones } from "../../../support/zones";
import { spawn } from "node:child_process";

let zones: TestZones;
let folder: string;
beforeAll(async () => {
  zones = await TestZones.start(["big"], { northd: false });
  folder = await mkdtemp(join(tmpdir(), "ovn-import-"));
});
afterAll(async () => {
  await zones?.stop();
  await rm(folder, { recursive: true, force: true });
});

const SWITCHES = 100;
const PORTS = 100;
const ACLS = 40;
const ROUTERS = 50;
const ROUTES = 60;
const SETS = 1000;
const BALANCERS = 650;
const WIDE = 1000;

const named = (name: string) => ["named-uuid", name] as const;
const setOf = (names: readonly string[]) => ["set", names.map(named)] as const;
const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);

/** One switch, its ports and its rules. */
function layer2Switch(index: number, ports: number): Operation[] {
  const port = (n: number) => `s${index}p${n}`;
  const acl = (n: number) => `s${index}a${n}`;
  return [
    ...numbers(ports).map(
      (n): Operation => ({
        op: "insert",
        table: "Logical_Switch_Port",
        "uuid-name": port(n),
        row: { name: `switch${index}-port${n}`, addresses: `0a:58:00:00:00:01 10.0.${n >> 8}.${n & 255}`, external_ids: ["map", [["pod", "true"]]] },
      }),
    ),
    ...numbers(ACLS).map(
      (n): Operation => ({
        op: "insert",
        table: "ACL",
        "uuid-name": acl(n),
        row: { direction: "to-lport", priority: 1000 + n, match: `ip4.src == 10.9.0.${n}`, action: "drop" },
      }),
    ),
    { op: "insert", table: "Logical_Switch", row: { name: `switch${index}`, ports: setOf(numbers(ports).map(port)), acls: setOf(numbers(ACLS).map(acl)) } },
  ];
}

function router(index: number): Operation[] {
  const route = (n: number) => `r${index}n${n}`;
  return [
    ...numbers(ROUTES).map(
      (n): Operation => ({
        op: "insert",
        table: "Logical_Router_Static_Route",
        "uuid-name": route(n),
        row: { ip_prefix: `10.${n}.0.0/16`, nexthop: "192.0.2.1" },
      }),
    ),
    { op: "insert", table: "Logical_Router", row: { name: `router${index}`, static_routes: setOf(numbers(ROUTES).map(route)) } },
  ];
}

it("imports a database of 20,000 rows: the time and the memory are printed", async () => {
  await using client = await connect(zones.config.big!.northbound, { database: "OVN_Northbound", timeout: 60_000 });
  for (const index of numbers(SWITCHES)) await client.transact(layer2Switch(index, index === 0 ? WIDE : PORTS));
  for (const index of numbers(ROUTERS)) await client.transact(router(index));
  await client.transact(
    numbers(SETS).map((n): Operation => ({ op: "insert", table: "Address_Set", row: { name: `set${n}`, addresses: ["set", ["10.0.0.1", "10.0.0.2"]] } })),
  );
  await client.transact(
    numbers(BALANCERS).map(
      (n): Operation => ({ op: "insert", table: "Load_Balancer", row: { name: `vip${n}`, vips: ["map", [["10.96.0.1:80", "10.0.0.2:80"]]] } }),
    ),
  );
  const rows = SWITCHES * (1 + PORTS + ACLS) + WIDE - PORTS + ROUTERS * (1 + ROUTES) + SETS + BALANCERS;
  expect(rows).toBeGreaterThan(19_500);

  const out = join(folder, "out");
  const measured = `const started = performance.now();
require(${JSON.stringify(join(projectRoot, "cli/dist"))}).main(process.argv.slice(1)).then((code) => {
  process.exitCode = code;
  console.error(JSON.stringify({ seconds: (performance.now() - started) / 1000, cpuSeconds: process.resourceUsage().userCPUTime / 1e6, megabytes: process.resourceUsage().maxRSS / 1024 }));
});`;
  const args = ["-e", measured, "--", "import", "--out", out, "--stack", "dev", "--project", "net"];
  const { code, stdout, stderr } = await finished(
    spawn(process.execPath, args, { env: { ...process.env, PULUMI_OVN_ZONES: JSON.stringify(zones.config) }, stdio: ["ignore", "pipe", "pipe"] }),
  );
  expect([code, stdout.split("\n")[0]]).toEqual([
    0,
    expect.stringMatching(
      new RegExp(`^zone big: ${rows} of ${rows}|^zone big: ${rows} of ${rows + 1} rows imported as ${SWITCHES + ROUTERS + SETS + BALANCERS} NorthboundRows$`),
    ),
  ]);
  const { resources } = JSON.parse(await readFile(join(out, "import.json"), "utf8")) as { resources: { outputs: { adopted: object } }[] };
  expect(resources).toHaveLength(SWITCHES + ROUTERS + SETS + BALANCERS);
  expect(resources.reduce((sum, { outputs }) => sum + Object.keys(outputs.adopted).length, 0)).toBe(rows);
  console.info(`import of ${rows} rows: ${stderr.trim()}`);
});
