import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { frrK8sPrograms, type KubernetesApi, startKubernetesApi } from "@pulumi-ovn/sandbox";
import { commandOf } from "@pulumi-ovn/sandbox/testing";

let api: KubernetesApi;
beforeAll(async () => {
  api = await startKubernetesApi({ users: [{ name: "guest", groups: [] }] });
});
afterAll(() => api?.stop());

const as = async (user: string) => {
  const { KubeConfig, KubernetesObjectApi } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(api.kubeconfig);
  config.setCurrentContext(user);
  return KubernetesObjectApi.makeApiClient(config);
};
const widget = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "widget", namespace: "default" } };

it("is an API server for its users, with a verified certificate", async () => {
  await (await as("admin")).create(widget);
  await expect((await as("guest")).read(widget)).rejects.toMatchObject({ code: 403 });
});

it("keeps its objects when the server is killed and started again", async () => {
  await api.kill();
  await expect((await as("admin")).read(widget)).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
  await api.start();
  expect((await (await as("admin")).read(widget)).metadata?.name).toBe("widget");
});

it("keeps its parent running until `unref`", () => {
  const waited = () => process.getActiveResourcesInfo().filter((name) => name === "ProcessWrap").length;
  const before = waited();
  api.unref();
  expect(before - waited()).toBe(2);
});

it("leaves no process and no file", async () => {
  const mine = () => readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(Number(pid)).includes(api.folder));
  expect(mine()).toHaveLength(2);
  await api.stop();
  expect([mine(), existsSync(api.folder)]).toEqual([[], false]);
});

it("has the custom resource definitions of frr-k8s' release", async () => {
  const { controller, crds } = await frrK8sPrograms(() => undefined);
  expect(existsSync(controller)).toBe(true);
  expect(readdirSync(crds)).toEqual(expect.arrayContaining(["frrk8s.metallb.io_frrconfigurations.yaml", "frrk8s.metallb.io_frrnodestates.yaml"]));
  expect(existsSync(join(crds, "frrk8s.metallb.io_bgpsessionstates.yaml"))).toBe(true);
});
