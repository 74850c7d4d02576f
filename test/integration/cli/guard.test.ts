import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { layDown, readRecord } from "@pulumi-ovn/provider/targets";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { TestCluster } from "../../support/kubernetes";
import { Northbound } from "../../support/northbound";
import { until } from "../../support/until";

jest.setTimeout(60_000);

const DATABASE = "OVN_Northbound";
const LEASE = "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/pulumi-ovn-guard";

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

it("undoes an apply at its deadline next to a silent target, and leaves no lease and no lock at its end", async () => {
  const silent = createServer(() => undefined).listen(join(folder, "silent"));
  await once(silent, "listening");
  const targets = {
    zones: { node1: { northbound: `unix:${join(folder, "silent")}` }, node2: { northbound: zone.endpoint } },
    clusters: { prod: cluster.target() },
  };
  await writeFile(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\n");
  await writeFile(join(folder, "Pulumi.dev.yaml"), `config: { ovn:targets: targets.yaml }\n`);
  await writeFile(join(folder, "targets.yaml"), JSON.stringify(targets));
  const guard = spawn(process.execPath, [join(projectRoot, "sdk/bin/pulumi-ovn.js"), "guard", "--stack", "dev"], {
    cwd: folder,
    env: { ...process.env, PULUMI_OVN_ZONES: undefined },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let said = "";
  guard.stdout.on("data", (text) => (said += String(text)));
  try {
    await until(async () => (await cluster.ask("GET", LEASE)).status === 200);
    const deadline = Date.now() + 1000;
    await layDown(zone.client, DATABASE, "0000000a", { stack: "net/dev", by: "me@here", deadline: new Date(deadline).toISOString(), timer: "guard" });
    await until(async () => (await readRecord(zone.client, DATABASE))?.phase === "undone");
    expect(Date.now() - deadline).toBeLessThan(5000);
    await until(() => said.includes("undone: apply 0000000a"));
    expect(said).toMatch(
      /^watching OVN_Northbound of zone "node1", OVN_Northbound of zone "node2", cluster "prod"\n\S+Z undone: apply 0000000a in OVN_Northbound of zone "node2"\n$/,
    );
    guard.kill("SIGTERM");
    expect(await once(guard, "exit")).toEqual([143, null]);
    expect((await cluster.ask("GET", LEASE)).status).toBe(404);
    const lock = await zone.client.lock("pulumi_ovn_guard");
    expect(lock.held).toBe(true);
    await lock.release();
  } finally {
    guard.kill("SIGKILL");
    silent.close();
  }
});
