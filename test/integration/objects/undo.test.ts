import { APPLY_VARIABLE } from "@pulumi-ovn/provider/targets";
import { Cluster, ensureObjects, removeObjects } from "@pulumi-ovn/provider/testing";
import { confirmObjects, forgetObjects, layDownObjects, readObjectRecord, undoObjects } from "@pulumi-ovn/provider/tools";
import { FACTS } from "../../support/apply-record";
import { failure } from "../../support/failure";
import { TestCluster } from "../../support/kubernetes";
import { until } from "../../support/until";

const MAPS = "/api/v1/namespaces/app/configmaps";
const SERVICES = "/api/v1/namespaces/app/services";
const owner = "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:KubernetesObjects::set";

let test: TestCluster;
let cluster: Cluster;
beforeAll(async () => {
  test = await TestCluster.kept();
  await test.namespace("app");
  cluster = new Cluster(test.target(), { folder: ".", environment: {} });
});
afterEach(() => void delete process.env[APPLY_VARIABLE]);

const map = (name: string, data: object) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "app" }, data });
const service = (port: number) => ({
  apiVersion: "v1",
  kind: "Service",
  metadata: { name: "web", namespace: "app" },
  spec: { clusterIP: "None", ports: [{ name: "http", port }, ...(port === 81 ? [{ name: "more", port: 90 }] : [])] },
});
const BEFORE = { objects: [map("stays", { a: "1", b: "1" }), map("gone", { x: "1" }), service(80)] };
const AFTER = { objects: [map("stays", { a: "2", c: "2" }), map("new", { y: "1" }), service(81)] };

const ensure = (wanted: typeof BEFORE, former?: typeof BEFORE) => ensureObjects({ cluster, owner, managers: undefined }, wanted, former);
/** The same by another process. */
const ensureAnew = (wanted: typeof BEFORE, former?: typeof BEFORE) =>
  ensureObjects({ cluster: new Cluster(test.target(), { folder: ".", environment: {} }), owner, managers: undefined }, wanted, former);
const secrets = () => test.names("/api/v1/namespaces/kube-system/secrets");
/** Applied fields of our manager, without values of the server. */
const contents = async () => {
  const lists = await Promise.all([MAPS, SERVICES].map((path) => test.must("GET", `${path}?labelSelector=pulumi-ovn/owner`)));
  return lists
    .flatMap(({ items }: { items: any[] }) => items)
    .map(({ metadata: { name, annotations, managedFields }, data, spec }) => ({
      name,
      annotations,
      data,
      ports: spec?.ports,
      fields: managedFields.map(({ manager, operation, fieldsV1 }: any) => ({ manager, operation, fieldsV1 })),
    }));
};
async function begin(id: string) {
  await layDownObjects(cluster, id, FACTS);
  process.env[APPLY_VARIABLE] = id;
}

it("restores objects as applied before, and keeps later changes of another manager", async () => {
  await ensure(BEFORE);
  const whole = await contents();
  await begin("one");
  await ensure(AFTER, BEFORE);
  delete process.env[APPLY_VARIABLE];
  expect(await failure(ensureAnew(BEFORE, AFTER))).toMatchObject({ code: "OVN_APPLY_PENDING" });
  expect(await failure(layDownObjects(cluster, "two", FACTS))).toMatchObject({ code: "OVN_APPLY_PENDING" });
  await undoObjects(cluster, "one");
  expect(await readObjectRecord(cluster)).toMatchObject({ phase: "undone", kept: [], inverses: [] });
  expect(await contents()).toEqual(whole);
  await forgetObjects(cluster, "one");

  await begin("three");
  await ensure(AFTER, BEFORE);
  await test.edit(`${MAPS}/stays`, { data: { c: "theirs" } });
  await test.edit(`${MAPS}/new`, { data: { y: "theirs" } });
  await test.must("POST", MAPS, map("gone", { x: "theirs" }));
  delete process.env[APPLY_VARIABLE];
  await undoObjects(cluster, "three");
  expect((await readObjectRecord(cluster))!.kept).toEqual(["ConfigMap app/gone", "ConfigMap app/new", "ConfigMap app/stays"]);
  expect(await test.must("GET", `${SERVICES}/web`)).toMatchObject({ spec: { ports: [{ name: "http", port: 80 }] } });
  await forgetObjects(cluster, "three");
  expect(await readObjectRecord(cluster)).toBeUndefined();
  await removeObjects({ cluster, owner, managers: undefined }, AFTER);

  await begin("four");
  await ensure({ objects: [map("other", { z: "1" })] });
  await confirmObjects(cluster, "four");
  await undoObjects(cluster, "four");
  expect(await test.names(MAPS)).toEqual(["gone", "other"]);
  expect(await readObjectRecord(cluster)).toBeUndefined();
  expect((await secrets()).filter((name) => name.startsWith("pulumi-ovn"))).toEqual([]);
});

it("undoes writes during the undo of their apply, and refuses later writes", async () => {
  await begin("six");
  const late = ensure({ objects: Array.from({ length: 200 }, (_, index) => map(`late${index}`, { a: "1" })) });
  const ended = failure(late);
  await until(async () => (await test.names(MAPS)).some((name) => name.startsWith("late")));
  await undoObjects(cluster, "six");
  expect(await ended).toMatchObject({ code: "OVN_APPLY_PENDING" });
  expect(await failure(ensure({ objects: [map("later", {})] }))).toMatchObject({ code: "OVN_APPLY_PENDING" });
  expect((await test.names(MAPS)).filter((name) => name.startsWith("late"))).toEqual([]);
  await forgetObjects(cluster, "six");
  expect((await secrets()).filter((name) => name.startsWith("pulumi-ovn"))).toEqual([]);
});

it("refuses an update if the record can't be read, except by a user without the right to read it", async () => {
  const wanted = { objects: [{ ...map("limited", { a: "1" }), metadata: { name: "limited", namespace: "default" } }] };
  const limited = { cluster: new Cluster(test.target("local"), { folder: ".", environment: {} }), owner: `${owner}-limited`, managers: undefined };
  await test.allowLocal();
  await begin("five");
  delete process.env[APPLY_VARIABLE];
  await ensureObjects(limited, wanted);
  expect(await test.names("/api/v1/namespaces/default/configmaps")).toContain("limited");
  await removeObjects(limited, wanted);
  const secret = "/api/v1/namespaces/kube-system/secrets/pulumi-ovn-apply";
  await test.edit(secret, { data: { record: "AAAA" } });
  expect(await failure(ensureAnew({ objects: [map("more", {})] }))).toMatchObject({
    code: "OVN_CLUSTER_ERROR",
    message: 'Secret kube-system/pulumi-ovn-apply: its record of an apply is damaged; compare the objects with "pulumi-ovn drift", then delete this Secret',
  });
  expect(await test.names(MAPS)).not.toContain("more");
  await test.must("DELETE", secret);
});
