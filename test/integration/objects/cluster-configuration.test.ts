import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import * as pulumi from "@pulumi/pulumi";
import type { dynamic } from "@pulumi/pulumi";
import { KubernetesObjects, RouteAdvertisement } from "pulumi-ovn";
import { provider } from "@pulumi-ovn/provider/runtime";
import { DEFAULT, template, UPSTREAM } from "../../support/advertisement";
import { Fabric } from "../../support/announcement";
import { TestCluster } from "../../support/kubernetes";
import { plainText, previewed } from "../../support/previewed";
import { registeredBy } from "../../support/program";
import { disconnect } from "../../support/provider";

jest.setTimeout(120_000);

const folder = mkdtempSync(join(tmpdir(), "configured-"));
let cluster: TestCluster;
beforeAll(async () => {
  cluster = await TestCluster.kept();
  const fabric = new Fabric(cluster);
  await cluster.namespace("frr-k8s-system");
  await fabric.node("node1", { default: "10.244.0.0/24" });
  await fabric.template(template("peers", [{ asn: 64512, neighbors: [UPSTREAM] }]));
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await disconnect();
});

let files = 0;

/** Result of an announcement in a cluster, or the reason of its failure. */
async function found(config: Record<string, string>, { targets, name = "prod" }: { targets?: object; name?: string } = {}): Promise<unknown> {
  // A process reads a file once.
  const file = join(folder, `targets${files++}.yaml`);
  if (targets) writeFileSync(file, JSON.stringify(targets));
  const program = () =>
    void new RouteAdvertisement("net", {
      cluster: name,
      name: "net",
      networkSelectors: [DEFAULT],
      frrConfigurationSelector: { matchLabels: { use: "yes" } },
      advertisements: ["PodNetwork"],
    });
  const [resource] = await previewed(program, { ...(targets && { "ovn:targets": file }), ...config });
  return resource!.failures.length > 0 ? resource!.failures : resource!.inputs.observedEarlier ? "unreachable" : resource!.inputs.announced;
}

const FOUND = { node1: ["10.244.0.0/24"] };
const forbidden = [expect.stringMatching(/^cluster: .*User "guest" cannot list resource .*\[OVN_FORBIDDEN\]$/)];

it("uses the stack's configuration of @pulumi/kubernetes without a file of targets", async () => {
  const { kubeconfig } = cluster.api;
  expect(await found({ "kubernetes:kubeconfig": kubeconfig }, { name: "default" })).toEqual(FOUND);
  expect(await found({ "kubernetes:kubeconfig": kubeconfig, "kubernetes:context": "guest" }, { name: "default" })).toEqual(forbidden);
  expect(await found({ "kubernetes:kubeconfig": kubeconfig, "kubernetes:cluster": "local" }, { name: "default" })).toEqual(FOUND);
});

it("reports missing entries of a kubeconfig", async () => {
  const { kubeconfig } = cluster.api;
  const objects = () =>
    void new KubernetesObjects("set", { cluster: "default", adopt: true, objects: { a: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" } } } });
  const failures = async (config: Record<string, string>) => (await previewed(objects, { "kubernetes:kubeconfig": kubeconfig, ...config }))[0]!.failures;
  expect(await failures({ "kubernetes:cluster": "other" })).toEqual(['adopt: the kubeconfig has no cluster "other"; it has local [OVN_KUBECONFIG]']);
  expect(await failures({ "kubernetes:context": "other" })).toEqual([
    'adopt: the kubeconfig has no context "other"; it has admin, guest, local [OVN_KUBECONFIG]',
  ]);
  // A default namespace would make an object's name depend on a configuration that a refresh has of the last update.
  expect(await failures({ "kubernetes:namespace": "default" })).toEqual([
    "adopt: ConfigMap a: metadata.namespace is required for this kind; neither kubernetes:namespace nor the kubeconfig's namespace stands for it [OVN_OBJECT_INVALID]",
  ]);
});

it("prefers the file of targets, setting by setting", async () => {
  const { kubeconfig } = cluster.api;
  expect(await found({ "kubernetes:kubeconfig": "/nowhere", "kubernetes:context": "guest" }, { targets: { clusters: { prod: { kubeconfig } } } })).toEqual(
    FOUND,
  );
  expect(
    await found({ "kubernetes:kubeconfig": kubeconfig, "kubernetes:context": "guest" }, { targets: { clusters: { prod: { context: "admin" } } } }),
  ).toEqual(FOUND);
  expect(await found({ "kubernetes:kubeconfig": kubeconfig }, { targets: { clusters: { prod: { context: "guest" } } } })).toEqual(forbidden);
  expect(await found({ "kubernetes:kubeconfig": kubeconfig }, { targets: { clusters: { prod: { inCluster: true } } } })).toBe("unreachable");
  expect(await found({ "kubernetes:kubeconfig": kubeconfig }, { targets: { clusters: { prod: {} } }, name: "rpod" })).toEqual([
    'cluster: cluster "rpod" is not configured; the targets have prod; did you mean "prod"? [cluster]',
  ]);
});

it("refuses the text of a kubeconfig, and hides it", async () => {
  const text = readFileSync(cluster.api.kubeconfig, "utf8");
  const failures = await found({ "kubernetes:kubeconfig": text }, { targets: { clusters: { prod: {} } } });
  expect(failures).toEqual([
    expect.stringMatching(
      /^cluster: kubernetes:kubeconfig in the stack's configuration is the text of a kubeconfig: .* clusters\.prod\.kubeconfig in the file of targets, or KUBECONFIG\. If that is done, .* need --run-program \[cluster\]$/,
    ),
  ]);
  expect(JSON.stringify(failures)).not.toContain(cluster.api.token());
  // If the file of targets has a connection, the configured kubeconfig is ignored.
  expect(await found({ "kubernetes:kubeconfig": text }, { targets: { clusters: { prod: cluster.target() } } })).toEqual(FOUND);
});

/** Errors of the API server about a program's objects, as an update shows them. */
async function refusal(objects: Record<string, object>): Promise<string> {
  const [registered] = await registeredBy(() => void new KubernetesObjects("set", { cluster: "default", objects: objects as never }));
  const served = provider("KubernetesObjects") as Required<dynamic.ResourceProvider>;
  await served.configure({
    config: { get: (key: string) => (key === "kubernetes:kubeconfig" ? cluster.api.kubeconfig : undefined) },
  } as dynamic.ConfigureRequest);
  const { inputs, failures = [] } = await served.check({}, plainText(registered!.inputs));
  expect(failures).toEqual([]);
  return served.create(inputs).then(
    () => "nothing",
    ({ message }: Error) => message,
  );
}

it("hides secrets in messages of the API server, which quotes refused values", async () => {
  const secret = 'hun"ter<2> & more';
  const base = { apiVersion: "v1", metadata: { name: "a", namespace: "default" } };
  const refused = [
    { a: { ...base, kind: "ConfigMap", data: { key: { password: pulumi.secret(secret) } } } },
    { a: { ...base, kind: "ConfigMap", data: { key: [pulumi.secret(secret)] } } },
    { a: { ...base, kind: "Service", spec: { type: pulumi.secret(secret), ports: [{ port: 1 }] } } },
  ];
  const said: string[] = [];
  for (const objects of refused) said.push(await refusal(objects));
  for (const text of said) expect(text).toMatch(/^OVN_(OBJECT_INVALID|CLUSTER_ERROR): .*\[secret\]/);
  for (const text of said) expect(text).not.toMatch(/hun|ter.?<|ter.?u003c/);
});

it("uses the pod's service account, and writes objects that others can read", async () => {
  const { url, folder: own, token } = { url: new URL(cluster.api.url), folder: cluster.api.folder, token: cluster.api.token() };
  const program = `
    const { Connections } = require(${JSON.stringify(join(__dirname, "../../../provider/dist/targets"))});
    (async () => {
      const cluster = new Connections({}, {}, { pod: { inCluster: true } }).cluster("pod");
      await cluster.apply({ apiVersion: "v1", kind: "ConfigMap", metadata: { name: "from-a-pod", namespace: "default" }, data: { a: "1" } }, { force: false, uid: undefined });
      console.log((await cluster.list("v1", "Node")).map(({ metadata }) => metadata.name).join());
    })();
  `;
  // Folder of a pod's account, only for this process.
  const pod = `
    mount -t tmpfs none /var/run
    mkdir -p /var/run/secrets/kubernetes.io/serviceaccount
    cd /var/run/secrets/kubernetes.io/serviceaccount
    cp "$1" ca.crt; printf %s "$TOKEN" > token; printf default > namespace
    exec "$2" -e "$3"
  `;
  const { stdout } = await promisify(execFile)(
    "unshare",
    ["--map-root-user", "--mount", "sh", "-ec", pod, "sh", join(own, "apiserver.crt"), process.execPath, program],
    {
      env: { PATH: process.env["PATH"], HOME: folder, TOKEN: token, KUBERNETES_SERVICE_HOST: url.hostname, KUBERNETES_SERVICE_PORT: url.port },
      timeout: 60_000,
    },
  );
  expect(stdout).toBe("node1\n");
  const { data, metadata } = await cluster.must("GET", "/api/v1/namespaces/default/configmaps/from-a-pod");
  expect([data, metadata.managedFields.map(({ manager }: { manager: string }) => manager)]).toEqual([{ a: "1" }, ["pulumi-ovn"]]);
});
