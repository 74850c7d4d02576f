import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";
import { freePort } from "../../support/ovsdb-server";

// Programs of an example are modules by themselves: Node runs them as they are.
const load = async () => (await import("../../../examples/live-migration/hook/rows.ts")).PortRows;
let PortRows: Awaited<ReturnType<typeof load>>;

const centrals: Central[] = [];
beforeAll(async () => {
  PortRows = await load();
});
afterEach(async () => {
  await Promise.all(centrals.splice(0).map((central) => central.stop()));
});

/** A zone's databases with the port of a guest that is elsewhere. */
async function zone(port: number): Promise<Central> {
  const central = await startCentral({ northd: false, northboundRemotes: [`ptcp:${port}:127.0.0.1`] });
  centrals.push(central);
  await central.run("ovn-nbctl", ["init"]);
  await central.run("ovn-nbctl", [
    "ls-add",
    "s",
    "--",
    "lsp-add",
    "s",
    "vm1",
    "--",
    "lsp-set-type",
    "vm1",
    "remote",
    "--",
    "lsp-set-options",
    "vm1",
    "requested-chassis=old,new",
    "activation-strategy=rarp",
    "mine=1",
  ]);
  return central;
}

async function portOf(central: Central): Promise<string> {
  return (await central.run("ovn-nbctl", ["--bare", "--columns=type,options", "find", "Logical_Switch_Port", "name=vm1"])).stdout.trim();
}

const folder = mkdtempSync(join(tmpdir(), "live-migration-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The path of a file of targets. */
function configured(ports: Record<string, number>): string {
  const path = join(folder, `${Object.values(ports).join("-")}.yaml`);
  writeFileSync(
    path,
    JSON.stringify({ zones: Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, { northbound: `tcp:127.0.0.1:${port}` }])) }),
  );
  return path;
}

it("writes to every zone, and keeps other writers' entries", async () => {
  const ports = { a: await freePort(), b: await freePort() };
  const [a, b] = [await zone(ports.a), await zone(ports.b)];
  const rows = await PortRows.open(["a", "b", "a"], configured(ports));
  expect(rows.away()).toEqual([]);
  expect(await rows.point("vm1", { zone: "a", chassis: "host-a" })).toEqual([]);
  expect(await portOf(a)).toBe("mine=1 requested-chassis=host-a");
  expect(await portOf(b)).toBe("remote\nmine=1 requested-chassis=host-a");
  await rows.close();
});

it("starts without an unreachable zone, writes to the others immediately, and to that one when it is reachable", async () => {
  const ports = { a: await freePort(), b: await freePort() };
  const a = await zone(ports.a);
  const rows = await PortRows.open(["a", "b"], configured(ports), 50);
  expect(rows.away()).toEqual(["b"]);
  const target = { zone: "b", chassis: "host-b" };
  expect(await rows.point("vm1", target)).toEqual([`zone b: tcp:127.0.0.1:${ports.b}: connect ECONNREFUSED`]);
  expect(await portOf(a)).toBe("remote\nmine=1 requested-chassis=host-b");

  const b = await zone(ports.b);
  for (const until = Date.now() + 10_000; rows.away().length > 0 && Date.now() < until; ) await sleep(20);
  expect(await rows.point("vm1", target)).toEqual([]);
  expect(await portOf(b)).toBe("mine=1 requested-chassis=host-b");

  await a.stop();
  for (const until = Date.now() + 10_000; rows.away().length === 0 && Date.now() < until; ) await sleep(20);
  expect(rows.away()).toEqual(["a"]);
  expect(await rows.point("vm1", target)).toEqual([expect.stringMatching(/^zone a: /)]);
  await rows.close();
});

it("closes while zones are unreachable, and connects to none afterwards", async () => {
  const port = await freePort();
  const rows = await PortRows.open(["a"], configured({ a: port }), 20);
  await rows.close();
  await zone(port);
  await sleep(200);
  expect(rows.away()).toEqual(["a"]);
});

it("refuses zones without an endpoint", async () => {
  await expect(PortRows.open(["a", "b"], configured({ a: 6641 }))).rejects.toThrow("zone b has no northbound endpoint in the targets");
});
