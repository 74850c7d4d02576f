import { dirname } from "node:path";
import { TestCluster } from "../../support/kubernetes";

jest.setTimeout(60_000);

const object = (apiVersion: string, kind: string, name: string, more: object = {}) => ({ apiVersion, kind, metadata: { name }, ...more });
const NODES = "/api/v1/nodes";
const SPACES = "/api/v1/namespaces";
const GADGETS = "/apis/test.pulumi-ovn/v1/namespaces/app/gadgets";

it("returns the worker's API server to each test file in its first state", async () => {
  const first = await TestCluster.kept();
  expect(dirname(first.api.folder)).toBe(process.env["PULUMI_OVN_TEST_SHARED"]);
  const spaces = await first.names(SPACES);
  expect([spaces.includes("default"), await first.names(NODES)]).toEqual([true, []]);
  await first.namespace("app");
  await first.must("POST", NODES, object("v1", "Node", "node1"));
  await first.must("POST", GADGETS, object("test.pulumi-ovn/v1", "Gadget", "one", { spec: { size: 1 } }));
  // Objects with a finalizer are deleted too, and so are more objects than one transaction of etcd can hold.
  await first.must("POST", `${SPACES}/default/configmaps`, {
    ...object("v1", "ConfigMap", "held"),
    metadata: { name: "held", finalizers: ["pulumi-ovn/test"] },
  });
  for (let index = 0; index < 130; index++) await first.must("POST", `${SPACES}/default/configmaps`, object("v1", "ConfigMap", `many${index}`));

  const second = await TestCluster.kept();
  expect([second.api.url, second.api.token()]).toEqual([first.api.url, first.api.token()]);
  expect([await second.names(SPACES), await second.names(NODES), await second.names(`${SPACES}/default/configmaps`)]).toEqual([spaces, [], []]);
  await second.namespace("app");
  expect(await second.names(GADGETS)).toEqual([]);
  await second.must("POST", GADGETS, object("test.pulumi-ovn/v1", "Gadget", "one", { spec: { size: 2 } }));
});
