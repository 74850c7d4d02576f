import * as pulumi from "@pulumi/pulumi";
import { KubernetesObjects, RouteAdvertisement, TunnelKeyPool } from "pulumi-ovn";
import { registeredBy } from "../../support/program";

const KEY = "kubernetes:kubeconfig";
const TEXT = "users:\n- user:\n    token: s3cret\n";
const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "default" } };
const objects = () => new KubernetesObjects("set", { cluster: "prod", objects: { a: map } });
const announcement = () => new RouteAdvertisement("fabric", { cluster: "prod", name: "default", frrConfigurationSelector: {}, advertisements: ["PodNetwork"] });

afterEach(() => pulumi.runtime.setAllConfig({}, []));

async function outcome(program: () => unknown, value: string, secrets: string[] = []): Promise<string[]> {
  let error = "";
  const made = await registeredBy(() => {
    pulumi.runtime.setAllConfig({ [KEY]: value }, secrets);
    try {
      program();
    } catch (thrown) {
      error = (thrown as Error).message;
    }
  });
  return [...made.map(({ kind }) => kind), error];
}

it.each([
  ["objects", objects, 'KubernetesObjects "set"'],
  ["an announcement", announcement, 'RouteAdvertisement "fabric"'],
])("ends a program with %s before credentials get into the state in clear", async (_what, program, subject) => {
  expect(await outcome(program, TEXT)).toEqual([
    `OVN_CLEAR_CREDENTIALS: ${subject}: kubernetes:kubeconfig in the stack's configuration is a kubeconfig with credentials in clear text, and Pulumi keeps configuration in the state of dynamic providers; ` +
      "write it to a file, and name that (pulumi config set kubernetes:kubeconfig FILE), or set it with --secret where only @pulumi/kubernetes needs it",
  ]);
});

it.each<[string, () => unknown, string, string[], string]>([
  ["a secret", objects, TEXT, [KEY], "ovn:KubernetesObjects"],
  ["a path", objects, "~/.kube/config", [], "ovn:KubernetesObjects"],
  ["a kubeconfig without credentials", objects, "users:\n- user:\n    exec: { command: aws }\n", [], "ovn:KubernetesObjects"],
  ["resources that have nothing to do with a cluster", () => new TunnelKeyPool("keys", { owners: { a: 2 } }), TEXT, [], "ovn:TunnelKeyPool"],
])("lets %s be", async (_what, program, value, secrets, kind) => {
  expect(await outcome(program, value, secrets)).toEqual([kind.replace("ovn:", ""), ""]);
});
