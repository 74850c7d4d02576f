import type { KubernetesObject } from "@pulumi-ovn/provider";
import {
  type Cluster,
  CONCURRENCY,
  ensureObjects,
  type ListOptions,
  ObjectError,
  type ObjectRef,
  observe,
  refText,
  removeObjects,
} from "@pulumi-ovn/provider/testing";
import { parallel } from "@pulumi-ovn/provider/tools";
import { applied, foreign, map, OWNER } from "../../support/live-object";

/** A cluster in memory that writes down what it is asked. */
class Listed {
  readonly asked: string[] = [];
  /** Kinds whose listing in all namespaces is forbidden. */
  forbidden = false;
  missing = new Set<string>();

  constructor(readonly objects: KubernetesObject[]) {}

  list(apiVersion: string, kind: string, { namespace, labels, metadataOnly }: ListOptions = {}): Promise<KubernetesObject[]> {
    this.asked.push(["list", apiVersion, kind, namespace, labels && "marked", metadataOnly && "names"].filter(Boolean).join(" "));
    if (this.missing.has(kind)) return Promise.reject(new ObjectError("OVN_KIND_MISSING", kind));
    if (this.forbidden && namespace === undefined) return Promise.reject(new ObjectError("OVN_FORBIDDEN", kind));
    const [label, value] = labels?.split("=") ?? [];
    return Promise.resolve(
      this.objects.filter(
        ({ kind: own, metadata }) =>
          own === kind && (namespace ?? metadata.namespace) === metadata.namespace && (label === undefined || metadata.labels?.[label] === value),
      ),
    );
  }

  get(ref: ObjectRef): Promise<KubernetesObject | undefined> {
    this.asked.push(`get ${refText(ref)}`);
    return Promise.resolve(
      this.objects.find(({ kind, metadata: { name, namespace } }) => kind === ref.kind && name === ref.name && namespace === ref.namespace),
    );
  }

  isNamespaced({ kind }: { kind: string }): Promise<boolean> {
    return Promise.resolve(kind !== "Namespace");
  }

  apply(object: KubernetesObject, { force, uid }: { force: boolean; uid: string | undefined }): Promise<unknown> {
    this.asked.push(`${uid === undefined ? "make" : "apply"} ${refText({ ...object, ...object.metadata } as never)}${force ? " by force" : ""}`);
    return object.metadata.name.startsWith("bad") ? Promise.reject(new ObjectError("OVN_OBJECT_INVALID", "bad")) : Promise.resolve(object);
  }

  delete(ref: ObjectRef): Promise<boolean> {
    this.asked.push(`delete ${refText(ref)}`);
    return Promise.resolve(ref.name.startsWith("stuck"));
  }

  waitUntilDeleted(ref: ObjectRef, uid: string): Promise<void> {
    this.asked.push(`wait for ${refText(ref)}, ${uid}`);
    return Promise.resolve();
  }
}

const target = (cluster: Listed) => ({ cluster: cluster as unknown as Cluster, owner: OWNER, managers: undefined });
const space = (name: string): KubernetesObject => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });
const named = (count: number) => Array.from({ length: count }, (_, index) => map(`m${index}`));
const seen = async (cluster: Listed, wanted: KubernetesObject[], former?: KubernetesObject[]) =>
  [...(await observe(target(cluster), { objects: wanted }, former && { objects: former })).values()].map(({ metadata }) => metadata.name).sort();

describe("reading a cluster", () => {
  it("lists each kind once if nothing is missing", async () => {
    const cluster = new Listed([applied(map("a")), applied(map("b")), applied(space("n")), applied(map("other"), undefined, "urn:other")]);
    expect(await seen(cluster, [map("a"), map("b"), space("n")])).toEqual(["a", "b", "n"]);
    expect(cluster.asked.sort()).toEqual(["list v1 ConfigMap marked", "list v1 Namespace marked"]);
  });

  it("requests few missing objects by name, and many by a list of names", async () => {
    const few = new Listed([foreign(map("m1"))]);
    expect(await seen(few, named(16))).toEqual(["m1"]);
    expect(few.asked).toEqual(["list v1 ConfigMap marked", ...named(16).map((object) => `get ConfigMap app/${object.metadata.name}`)]);
    const many = new Listed([foreign(map("m1"))]);
    expect(await seen(many, named(17))).toEqual(["m1"]);
    expect(many.asked).toEqual(["list v1 ConfigMap marked", "list v1 ConfigMap app names", "get ConfigMap app/m1"]);
  });

  it("requests names separately in each namespace", async () => {
    const cluster = new Listed([foreign(map("m3", {}, { namespace: "two" }))]);
    const wanted = ["app", "two"].flatMap((namespace) => named(17).map((object) => ({ ...object, metadata: { ...object.metadata, namespace } })));
    expect(await seen(cluster, wanted)).toEqual(["m3"]);
    expect(cluster.asked.slice(1).sort()).toEqual(["get ConfigMap two/m3", "list v1 ConfigMap app names", "list v1 ConfigMap two names"]);
  });

  it("reads earlier objects, and kinds that may have had some", async () => {
    const cluster = new Listed([applied(map("a"))]);
    expect(await seen(cluster, [], [map("a")])).toEqual(["a"]);
    const found = await observe(target(cluster), { objects: [], kinds: [{ apiVersion: "v1", kind: "ConfigMap" }] });
    expect([...found.values()].map(({ metadata }) => metadata.name)).toEqual(["a"]);
    expect(await observe(target(cluster), { objects: [] }, { objects: [], kinds: [{ apiVersion: "v1", kind: "ConfigMap" }] })).toMatchObject({ size: 1 });
    expect(await observe(target(cluster), { objects: [] })).toMatchObject({ size: 0 });
  });

  it("reads namespace by namespace without the right to list the cluster", async () => {
    const cluster = new Listed([applied(map("a")), applied(map("b", {}, { namespace: "two" }))]);
    cluster.forbidden = true;
    expect(await seen(cluster, [map("a"), map("b", {}, { namespace: "two" }), map("c")])).toEqual(["a", "b"]);
    expect(cluster.asked).toEqual(["list v1 ConfigMap marked", "list v1 ConfigMap app marked", "list v1 ConfigMap two marked", "get ConfigMap app/c"]);
    await expect(seen(cluster, [space("n")])).rejects.toMatchObject({ code: "OVN_FORBIDDEN" });
  });

  it("treats objects of a removed kind as deleted, unless the kind is desired", async () => {
    const cluster = new Listed([]);
    cluster.missing.add("ConfigMap");
    expect(await seen(cluster, [], [map("a")])).toEqual([]);
    await expect(seen(cluster, [map("a")])).rejects.toMatchObject({ code: "OVN_KIND_MISSING" });
  });

  it("refuses objects with a wrong namespace before any request", async () => {
    const cluster = new Listed([]);
    const { namespace: _namespace, ...nowhere } = map("a").metadata;
    await expect(seen(cluster, [{ ...map("a"), metadata: nowhere }])).rejects.toThrow(
      "ConfigMap a: metadata.namespace is required for this kind; neither kubernetes:namespace nor the kubeconfig's namespace stands for it",
    );
    await expect(seen(cluster, [{ ...space("n"), metadata: { name: "n", namespace: "x" } }])).rejects.toThrow(
      "Namespace x/n: objects of this kind are in no namespace: leave metadata.namespace out",
    );
    expect(cluster.asked).toEqual([]);
  });
});

describe("writing to a cluster", () => {
  it("creates namespaces before their objects, and deletes them afterwards", async () => {
    const cluster = new Listed([applied(map("old")), applied(space("gone"))]);
    await ensureObjects(target(cluster), { objects: [map("a"), space("n")] });
    expect(cluster.asked.filter((text) => /^(make|apply|delete)/.test(text))).toEqual([
      "make Namespace n",
      "make ConfigMap app/a",
      "delete ConfigMap app/old",
      "delete Namespace gone",
    ]);
    cluster.asked.length = 0;
    await removeObjects(target(cluster), { objects: [space("gone"), map("old")] });
    expect(cluster.asked.filter((text) => text.startsWith("delete"))).toEqual(["delete ConfigMap app/old", "delete Namespace gone"]);
  });

  it("does not treat a Namespace of another API group as a namespace", async () => {
    const cluster = new Listed([]);
    await ensureObjects(target(cluster), { objects: [{ ...space("z"), apiVersion: "example.org/v1" }, space("n")] });
    expect(cluster.asked.filter((text) => text.startsWith("make"))).toEqual(["make Namespace n", "make Namespace z"]);
  });

  it("waits for finalizers after all other deletions, and before the namespace's deletion", async () => {
    const leaving = applied(map("early"), (live) => (live.metadata.deletionTimestamp = "now"));
    const cluster = new Listed([leaving, applied(map("stuck")), applied(map("last")), applied(space("gone"))]);
    await removeObjects(target(cluster), { objects: [space("gone"), map("last")] });
    expect(cluster.asked.filter((text) => /^(delete|wait)/.test(text))).toEqual([
      "delete ConfigMap app/stuck",
      "delete ConfigMap app/last",
      "wait for ConfigMap app/early, uid of early",
      "wait for ConfigMap app/stuck, uid of stuck",
      "delete Namespace gone",
    ]);
  });

  it("reports progress once something is written", async () => {
    await expect(ensureObjects(target(new Listed([])), { objects: [space("n"), map("bad")] })).rejects.toMatchObject({
      code: "OVN_OBJECT_INVALID",
      message: "bad; 1 of 2 objects were written, the next run continues from there",
    });
    await expect(ensureObjects(target(new Listed([])), { objects: [map("bad")] })).rejects.toMatchObject({ message: "bad" });
    const stuck = new Listed([applied(map("stuck")), applied(map("last"))]);
    stuck.waitUntilDeleted = () => Promise.reject(new ObjectError("OVN_CONTENTION", "kept"));
    await expect(removeObjects(target(stuck), { objects: [map("last")] })).rejects.toMatchObject({
      message: "kept; 1 of 2 objects were written, the next run continues from there",
    });
    // An error that is not from the cluster is thrown unchanged.
    const odd = new Listed([]);
    odd.apply = ({ kind }) => (kind === "Namespace" ? Promise.resolve() : Promise.reject(new TypeError("odd")));
    await expect(ensureObjects(target(odd), { objects: [space("n"), map("a")] })).rejects.toThrow(new TypeError("odd"));
  });
});

describe("many tasks", () => {
  it("run several at the same time, with results in the items' order", async () => {
    let [running, most] = [0, 0];
    const results = await parallel(
      Array.from({ length: 50 }, (_, index) => index),
      async (index) => {
        most = Math.max(most, ++running);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
        return index * 2;
      },
    );
    expect([results, most]).toEqual([Array.from({ length: 50 }, (_, index) => index * 2), CONCURRENCY]);
    expect(await parallel([], () => Promise.reject(new Error("never")))).toEqual([]);
  });

  it("start no more tasks after a failure, and end before it is reported", async () => {
    const [begun, ended]: number[][] = [[], []];
    const run = parallel(
      Array.from({ length: 100 }, (_, index) => index),
      async (index) => {
        begun!.push(index);
        await new Promise((resolve) => setImmediate(resolve));
        ended!.push(index);
        if (index === 3 || index === 5) throw new Error(`failed ${index}`);
      },
    );
    await expect(run).rejects.toThrow("failed 3");
    expect(begun!.length).toBeLessThanOrEqual(CONCURRENCY + 3);
    expect(ended).toEqual(begun);
  });
});
