import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { TestCluster } from "../../support/kubernetes";

jest.setTimeout(120_000);

const PATHS: Readonly<Record<string, string>> = {
  ServiceAccount: "/api/v1/namespaces/default/serviceaccounts",
  ClusterRoleBinding: "/apis/rbac.authorization.k8s.io/v1/clusterrolebindings",
  Stack: "/apis/pulumi.com/v1/namespaces/default/stacks",
};

it("has objects for the operator that an API server takes, field by field", async () => {
  await using cluster = await TestCluster.kept();
  const objects = parseAllDocuments(readFileSync(join(projectRoot, "docs/ci/operator-stack.yaml"), "utf8")).map((document) => document.toJS() as any);
  const created = async (object: any) => (await cluster.ask("POST", `${PATHS[object.kind]}?fieldValidation=Strict&dryRun=All`, object)).status;
  expect(await Promise.all(objects.map(async (object) => [object.kind, await created(object)]))).toEqual([
    ["ServiceAccount", 201],
    ["ClusterRoleBinding", 201],
    ["Stack", 201],
  ]);
  const stack = objects.find(({ kind }) => kind === "Stack");
  expect(await created({ ...stack, spec: { ...stack.spec, resyncFrequency: 60 } })).toBe(400);
});
