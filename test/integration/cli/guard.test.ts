import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTarget } from "@pulumi-ovn/cli/testing";
import { APPLY_VARIABLE, layDown, readRecord } from "@pulumi-ovn/provider/targets";
import { ended, guardProject, startGuard } from "../../support/guard";
import { TestCluster } from "../../support/kubernetes";
import { Northbound } from "../../support/northbound";
import { ObjectResource, targetsIn } from "../../support/object-resource";
import { until } from "../../support/until";

jest.setTimeout(60_000);

const DATABASE = "OVN_Northbound";
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/pulumi-ovn-guard";
const MAP = "/api/v1/namespaces/default/configmaps/settings";

let folder: string;
let zone: Northbound;
let cluster: TestCluster;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "guard-"));
  zone = await Northbound.start();
  await zone.nbctl("init");
  cluster = await TestCluster.kept();
}, 60_000);
afterAll(async () => {
  await zone?.[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const factsOf = (deadline: number) => ({ stack: "net/dev", by: "me@here", deadline: new Date(deadline).toISOString(), timer: "guard" });

it("undoes an apply at its deadline next to a silent target, and leaves no lease and no lock at its end", async () => {
  const silent = createServer(() => undefined).listen(join(folder, "silent"));
  await once(silent, "listening");
  const targets = {
    zones: { node1: { northbound: `unix:${join(folder, "silent")}` }, node2: { northbound: zone.endpoint } },
    clusters: { prod: cluster.target() },
  };
  const guard = await startGuard(await guardProject(folder, targets));
  try {
    await until(async () => (await cluster.ask("GET", LEASE)).status === 200);
    const deadline = Date.now() + 1000;
    await layDown(zone.client, DATABASE, "0000000a", factsOf(deadline));
    await until(async () => (await readRecord(zone.client, DATABASE))?.phase === "undone");
    // Less than the 10 s that the guard waits for the silent target.
    expect(Date.now() - deadline).toBeLessThan(8000);
    await until(() => guard.said().includes("undone: apply 0000000a"));
    expect(guard.said()).toMatch(
      /^watching OVN_Northbound of zone "node1", OVN_Northbound of zone "node2", cluster "prod"\n\S+Z undone: apply 0000000a in OVN_Northbound of zone "node2"\n$/,
    );
    expect(await ended(guard, "SIGTERM")).toEqual([143, null]);
    expect((await cluster.ask("GET", LEASE)).status).toBe(404);
    const lock = await zone.client.lock("pulumi_ovn_guard");
    expect(lock.held).toBe(true);
    await lock.release();
  } finally {
    guard.process.kill("SIGKILL");
    silent.close();
  }
});

it("undoes objects whose guard was killed, and counts a killed guard until its lease expires", async () => {
  const project = await guardProject(join(folder, "objects"), { clusters: { prod: cluster.target() } });
  const targets = targetsIn(cluster);
  const target = await openTarget(targets, { kind: "cluster", name: "prod" });
  const timer = () => target.startTimer("0000000b", 1);
  const resource = new ObjectResource(targets);
  const map = (value: string) => ({ map: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings", namespace: "default" }, data: { value } } });
  await resource.up(map("before"));
  expect(await timer()).toBe("command");
  const first = await startGuard(project);
  await until(async () => (await timer()) === "guard");
  const deadline = Date.now() + 4000;
  await target.layDown("0000000b", factsOf(deadline));
  await ended(first, "SIGKILL");
  process.env[APPLY_VARIABLE] = "0000000b";
  await resource.up(map("after")).finally(() => delete process.env[APPLY_VARIABLE]);
  expect(await timer()).toBe("guard");
  await cluster.edit(LEASE, { spec: { renewTime: new Date(Date.now() - 31_000).toISOString().replace("Z", "000Z") } });
  expect(await timer()).toBe("command");
  const second = await startGuard(project);
  try {
    await until(async () => (await target.read())?.phase === "undone");
    expect(await timer()).toBe("guard");
    expect(await cluster.must("GET", MAP)).toMatchObject({ data: { value: "before" } });
    expect((await target.read())!.kept).toEqual([]);
    await target.forget("0000000b");
    expect(await target.read()).toBeUndefined();
    expect(await ended(second, "SIGTERM")).toEqual([143, null]);
    expect((await cluster.ask("GET", LEASE)).status).toBe(404);
  } finally {
    second.process.kill("SIGKILL");
  }
  await cluster.must("DELETE", MAP);
});
