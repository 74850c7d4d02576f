import type { KubernetesObject } from "@pulumi-ovn/provider";
import { identityOf, type LiveObject, marked, objectDigest, planOf, refOf, refuseForeign, removalOf } from "@pulumi-ovn/provider/testing";
import { applied, foreign, manager, map, OWNER } from "../../support/live-object";

const snapshot = (...objects: LiveObject[]) => new Map(objects.map((object) => [identityOf(refOf(object)), object]));
const plan = (wanted: KubernetesObject[], live: LiveObject[], managers?: string[]) => {
  const { applications, deletions } = planOf({ objects: wanted }, snapshot(...live), { owner: OWNER, managers });
  return [
    applications.map(({ object, force }) => `${force ? "force" : "apply"} ${object.metadata.name}`),
    deletions.map(({ ref, uid, leaving }) => `${ref.name} ${uid}${leaving ? ", leaving" : ""}`),
  ];
};
const refusal = (wanted: KubernetesObject[], live: LiveObject[], managers?: string[]) => {
  try {
    plan(wanted, live, managers);
  } catch (error) {
    const { code, message } = error as Error & { code: string };
    return `${code}: ${message}`;
  }
  return undefined;
};

describe("a plan", () => {
  it("applies missing and differing objects with marks, and deletes owned objects that are not desired", () => {
    const [same, changed, added] = [map("same", { a: "1" }), map("changed", { a: "2" }), map("added")];
    const live = [applied(same), applied(map("changed", { a: "1" })), applied(map("surplus"))];
    expect(plan([same, changed, added], live)).toEqual([["apply changed", "apply added"], ["surplus uid of surplus"]]);
    const [{ object }] = planOf({ objects: [added] }, new Map(), { owner: OWNER, managers: undefined }).applications as unknown as [
      { object: KubernetesObject },
    ];
    expect(object).toEqual(marked(added, OWNER));
    expect(object.metadata.annotations).toEqual({ "pulumi-ovn/owner": OWNER, "pulumi-ovn/digest": objectDigest(added) });
  });

  it("leaves foreign objects with other names, and recognizes objects in deletion", () => {
    const leaving = applied(map("leaving"), (live) => (live.metadata.deletionTimestamp = "now"));
    expect(plan([], [foreign(map("theirs")), applied(map("others"), undefined, "urn:other"), leaving])).toEqual([[], ["leaving uid of leaving, leaving"]]);
    expect(removalOf(snapshot(foreign(map("theirs")), leaving, applied(map("ours"))), { owner: OWNER, managers: undefined })).toEqual([
      { ref: refOf(map("leaving")), uid: "uid of leaving", leaving: true },
      { ref: refOf(map("ours")), uid: "uid of ours", leaving: false },
    ]);
  });

  it("finds an object in any version of its API group, and no other object of its name", () => {
    const of = (apiVersion: string) => ({ ...map("a"), apiVersion, kind: "Thing" });
    expect(plan([of("x/v2")], [applied(of("x/v1"))])).toEqual([["apply a"], []]);
    expect(plan([of("y/v1")], [applied(of("x/v1"))])).toEqual([["apply a"], ["a uid of a"]]);
    expect(plan([{ ...map("a"), metadata: { name: "a", namespace: "b" } }], [applied(map("a"))])).toEqual([["apply a"], ["a uid of a"]]);
  });

  it("takes a field back by force from the manager that has just written it", () => {
    const edited = applied(map("a", { x: "1" }), (live) => {
      live.data.x = "2";
      delete live.metadata.managedFields[0].fieldsV1["f:data"];
      live.metadata.managedFields.push(manager("kubectl-edit", "Update", { "f:data": { "f:x": {} } }));
    });
    expect(plan([map("a", { x: "1" })], [edited])).toEqual([["force a"], []]);
  });
});

describe("objects and fields of other owners", () => {
  it.each<[string, LiveObject, string]>([
    [
      "without a mark",
      foreign(map("a"), {
        managedFields: [manager("helm", "Update", {}), manager("pulumi-ovn", "Apply", {}), manager("argocd", "Apply", {}), { operation: "Update" }],
      }),
      'ConfigMap app/a exists already, written by "argocd", "helm"; choose another name, remove it, or take it over with "adopt"',
    ],
    ["without a mark and an owner", foreign(map("a")), 'ConfigMap app/a exists already; choose another name, remove it, or take it over with "adopt"'],
    [
      "of another resource",
      applied(map("a"), undefined, "urn:other"),
      'ConfigMap app/a belongs to urn:other; remove it there, or take it over with adopt: { owners: ["urn:other"] }',
    ],
    [
      "of a controller",
      foreign(map("a"), {
        ownerReferences: [
          { kind: "Node", name: "n" },
          { kind: "Deployment", name: "d", controller: true },
        ],
        labels: { "app.kubernetes.io/managed-by": "Helm" },
      }),
      'ConfigMap app/a belongs to Deployment/d; remove it there, or take it over with adopt: { owners: ["Deployment/d"] }',
    ],
    [
      "of a tool",
      foreign(map("a"), { labels: { "app.kubernetes.io/managed-by": "Helm" } }),
      'ConfigMap app/a belongs to Helm; remove it there, or take it over with adopt: { owners: ["Helm"] }',
    ],
  ])("is refused: %s", (_what, live, text) => {
    expect(refusal([map("a")], [live])).toBe(`OVN_FOREIGN_OBJECT: ${text}`);
  });

  it("are adopted only within the limits of adopt", () => {
    expect(plan([map("a")], [foreign(map("a"))], [])).toEqual([["apply a"], []]);
    const [helm, deployed] = [
      foreign(map("a"), { labels: { "app.kubernetes.io/managed-by": "Helm" } }),
      foreign(map("a"), { ownerReferences: [{ kind: "Deployment", name: "d", controller: true }] }),
    ];
    expect(refusal([map("a")], [helm], [])).toContain("belongs to Helm");
    expect(refusal([map("a")], [helm], ["Hel"])).toContain("belongs to Helm");
    expect(refusal([map("a")], [helm], ["Helm"])).toBeUndefined();
    // A controller's kind covers all controllers of that kind.
    expect(refusal([map("a")], [deployed], ["Deployment"])).toBeUndefined();
    expect(() => refuseForeign(applied(map("a")), { owner: OWNER, managers: undefined })).not.toThrow();
  });

  it("include a field that another manager applies", () => {
    const held = (...names: string[]) =>
      applied(map("a", { x: "1", y: "1" }), (live) => {
        live.data = { x: "2", y: "2" };
        delete live.metadata.managedFields[0].fieldsV1["f:data"];
        for (const name of names) live.metadata.managedFields.push(manager(name, "Apply", { "f:data": { "f:x": {}, "f:y": {} } }));
      });
    const wanted = [map("a", { x: "1", y: "1" })];
    expect(refusal(wanted, [held("argocd")])).toBe(
      'OVN_FIELD_CONFLICT: ConfigMap app/a: data.x is managed by "argocd"; data.y is managed by "argocd"; leave it to one of the two, or name the manager in adopt: { owners: [...] }',
    );
    expect(refusal(wanted, [held("argocd")], ["flux"])).toContain("OVN_FIELD_CONFLICT");
    expect(plan(wanted, [held("argocd")], ["argocd"])).toEqual([["force a"], []]);
    expect(refusal(wanted, [held("a", "b", "c")])).toBe(
      'OVN_FIELD_CONFLICT: ConfigMap app/a: data.x is managed by "a"; data.x is managed by "b"; data.x is managed by "c"; data.y is managed by "a"; data.y is managed by "b"; 1 more; leave it to one of the two, or name the manager in adopt: { owners: [...] }',
    );
  });

  it("include an object that waits for a foreign finalizer, even without a change", () => {
    const leaving = (finalizers?: string[]) => applied(map("a"), (live) => Object.assign(live.metadata, { deletionTimestamp: "now", finalizers }));
    expect(refusal([map("a")], [leaving(["x/y", "z"])])).toBe(
      "OVN_CONTENTION: ConfigMap app/a is being deleted, and waits for x/y, z; run the update again when it is deleted",
    );
    expect(refusal([map("a")], [leaving()])).toContain("waits for its dependents");
  });
});
