import { holdsCredentials } from "@pulumi-ovn/provider";
import { type ClusterSettings, Connections, kubernetesConfig } from "@pulumi-ovn/provider/targets";
import { clusterSettings, describeCluster, isKubeconfigText } from "@pulumi-ovn/provider/testing";

const config = (values: Record<string, string>) => kubernetesConfig((key) => values[key.replace("kubernetes:", "")]);
const KUBECONFIG = "apiVersion: v1\nusers:\n- name: a\n  user:\n    token: s3cret\n";

it.each<[string, ClusterSettings | undefined, Record<string, string>, ClusterSettings]>([
  ["no setting: like kubectl", {}, {}, {}],
  ["only the configuration", {}, { kubeconfig: "~/k", context: "c", cluster: "x" }, { kubeconfig: "~/k", context: "c", cluster: "x" }],
  [
    "a kubeconfig in the file of targets, without the context of another one",
    { kubeconfig: "t" },
    { kubeconfig: "~/k", context: "c", cluster: "x" },
    { kubeconfig: "t" },
  ],
  ["the pod's own cluster", { inCluster: true }, { kubeconfig: "~/k", context: "c", cluster: "x" }, { inCluster: true }],
  [
    "a context in the file of targets, of the kubeconfig that the configuration names",
    { context: "t" },
    { kubeconfig: "~/k", context: "c", cluster: "x" },
    { kubeconfig: "~/k", context: "t" },
  ],
  ["a context in the configuration, of the usual kubeconfig", { timeout: 5 }, { context: "c" }, { context: "c", timeout: 5 }],
  ["a cluster in the file of targets before that of the configuration", { cluster: "t" }, { context: "c", cluster: "x" }, { context: "c", cluster: "t" }],
  ["empty settings, which are omitted", {}, { kubeconfig: "", context: "" }, {}],
])("uses %s", (_what, own, values, expected) => {
  expect(clusterSettings("prod", own ? { prod: own } : {}, config(values))).toEqual(expected);
});

it("has a cluster `default` without a file of targets, unless the file has one of that name", () => {
  expect(clusterSettings("default", {}, config({ context: "c" }))).toEqual({ context: "c" });
  expect(clusterSettings("default", { default: { kubeconfig: "t" } }, config({ context: "c" }))).toEqual({ kubeconfig: "t" });
  expect(() => clusterSettings("prod", {}, {})).toThrow(
    'cluster "prod" is not configured: the targets have no clusters; add "clusters: { prod: { kubeconfig: ~/.kube/config } }" to the file of targets (pulumi config set ovn:targets FILE), or name the cluster "default", which is that of kubernetes:kubeconfig and KUBECONFIG',
  );
  expect(() => clusterSettings("toString", { prod: {} }, {})).toThrow('cluster "toString" is not configured; the targets have prod');
});

it("refuses unsafe settings of the stack's Kubernetes provider, only if they would have an effect", () => {
  const text = config({ kubeconfig: KUBECONFIG });
  const failure = () => clusterSettings("prod", { prod: { context: "c" } }, text);
  expect(failure).toThrow(
    'kubernetes:kubeconfig in the stack\'s configuration is the text of a kubeconfig: it is kept in the state, and "pulumi refresh" and "pulumi destroy" would take its credentials from there; write it to a file, and name that in kubernetes:kubeconfig, clusters.prod.kubeconfig in the file of targets, or KUBECONFIG. If that is done, the last update is older: "pulumi up" brings the state up to date; before it, "pulumi refresh" and "pulumi destroy" need --run-program',
  );
  expect(clusterSettings("prod", { prod: { kubeconfig: "t" } }, text)).toEqual({ kubeconfig: "t" });
  expect(JSON.stringify(text)).not.toContain("s3cret");
  const files = config({ renderYamlToDirectory: "out" });
  expect(() => clusterSettings("prod", { prod: {} }, files)).toThrow(
    "kubernetes:renderYamlToDirectory in the stack's configuration asks for files instead of objects, which is not supported here; remove it, or set clusters.prod.kubeconfig in the file of targets",
  );
  expect(clusterSettings("prod", { prod: { kubeconfig: "t" } }, files)).toEqual({ kubeconfig: "t" });
});

it("describes clusters by the setting that leads to them, also a refused one", () => {
  expect(describeCluster("prod", { prod: {} }, config({ kubeconfig: "~/k", context: "c", cluster: "x" }))).toBe(
    'cluster "prod" (kubeconfig ~/k, context "c", its cluster "x")',
  );
  expect(describeCluster("prod", { prod: {} }, config({ kubeconfig: KUBECONFIG, context: "c" }))).toBe('cluster "prod"');
  expect(describeCluster("gone", {}, {})).toBe('cluster "gone"');
  expect(new Connections({}, {}, { prod: {} }, "/", config({ context: "c" })).describeCluster("prod")).toBe('cluster "prod" (context "c")');
  expect(() => new Connections({}, {}, { prod: {} }, "/", config({ kubeconfig: KUBECONFIG })).cluster("prod")).toThrow("is the text of a kubeconfig");
});

it.each([
  ["/home/me/.kube/config", false, false],
  ["~/my kubeconfig.yaml", false, false],
  ["/srv/token:1/config", false, false],
  [KUBECONFIG, true, true],
  ['{"users":[{"user":{"token":"x"}}]}', true, true],
  ["apiVersion: v1", true, false],
  ["users:\n- user:\n    exec:\n      command: aws\n", true, false],
  ["users:\n- user:\n    client-key-data: eA==\n", true, true],
  ["users:\n- user:\n    tokenFile: /x\n", true, false],
  // In base64: no path has such a name, so it is not shown as one.
  ["x".repeat(256), true, false],
  ["x/".repeat(300), false, false],
])("distinguishes a kubeconfig from a path: %j", (value, text, credentials) => {
  expect([isKubeconfigText(value), holdsCredentials(value)]).toEqual([text, credentials]);
});
