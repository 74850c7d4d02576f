import * as pulumi from "@pulumi/pulumi";
import { KubernetesObjects, Layer2Switch } from "pulumi-ovn";
import { secretsIn } from "pulumi-ovn/testing";
import { registeredBy } from "../../support/program";

const secret = <T>(value: T) => pulumi.secret(value);

it("names arguments that are secret as a whole, and paths to secret parts", async () => {
  expect(await secretsIn({ open: 1, b: secret(1), a: { x: [{ y: secret("1") }, { y: "2" }], "c.d": secret("3") }, none: undefined, nothing: null })).toEqual([
    ["a", "c.d"],
    ["a", "x", "0", "y"],
    "b",
  ]);
  expect(await secretsIn({ open: pulumi.output({ a: 1 }), text: "text" })).toBeUndefined();
});

it("treats an output as secret if it contains a secret at any depth, also a promise of one", async () => {
  expect(
    await secretsIn({ a: pulumi.output({ x: secret(1), y: 2 }), b: { c: Promise.resolve(secret(1)) }, d: pulumi.output(1).apply(() => secret(2)) }),
  ).toEqual(["a", ["b", "c"], "d"]);
  expect(await secretsIn({ a: pulumi.output(1).apply(() => ({ deep: [secret(2)] })) })).toEqual(["a"]);
});

it("reaches the provider from any resource", async () => {
  const args = { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5, externalIds: { token: secret("hunter2"), team: "net" } };
  const object = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { password: secret("hunter2") } };
  const made = await registeredBy(() => void [new Layer2Switch("sw", args), new KubernetesObjects("o", { cluster: "c", objects: { a: object } })]);
  expect(Object.fromEntries(made.map(({ kind, inputs }) => [kind, inputs.redact]))).toEqual({
    Layer2Switch: [["externalIds", "token"]],
    KubernetesObjects: [["objects", "a", "data", "password"]],
  });
});
