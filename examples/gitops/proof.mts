import { attempt, type Check, type Example, kubernetesPlugin, learns, type Sandbox, type Scenario } from "@pulumi-ovn/sandbox";

const PREFIX = "203.203.0.0/16";
/** Own addresses of the hosts, which announce a network that this program does not make. */
const HOSTS = ["172.18.0.111", "172.18.0.112"];
const OBJECTS = "/apis/frrk8s.metallb.io/v1beta1/namespaces/frr-k8s-system/frrconfigurations";

interface FrrConfiguration {
  readonly metadata: { readonly name: string };
  readonly spec: { readonly nodeSelector: { readonly matchLabels: Readonly<Record<string, string>> } };
}

/** The templates, which `@pulumi/kubernetes` makes, and the objects of the announcement. */
async function objects({ cluster }: Sandbox): Promise<Record<"templates" | "generated", FrrConfiguration[]>> {
  const { items } = (await cluster.must("GET", OBJECTS)) as { items: FrrConfiguration[] };
  const isTemplate = ({ metadata }: FrrConfiguration) => metadata.name.startsWith("peers-");
  return { templates: items.filter(isTemplate), generated: items.filter((item) => !isTemplate(item)) };
}

const HOSTNAME = "kubernetes.io/hostname";
const nodeOf = ({ spec }: FrrConfiguration) => spec.nodeSelector.matchLabels[HOSTNAME];

/** Moves the object of node1 to a node that does not exist, as `kubectl edit` does. */
async function misplace({ cluster }: Sandbox, items: readonly FrrConfiguration[]): Promise<void> {
  const { metadata } = items.find((item) => nodeOf(item) === "node1")!;
  const patch = { spec: { nodeSelector: { matchLabels: { [HOSTNAME]: "elsewhere" } } } };
  await cluster.must("PATCH", `${OBJECTS}/${metadata.name}?fieldManager=kubectl-edit`, patch, { type: "application/merge-patch+json" });
}

const up = (example: Example) => example.run("up", "--yes", "--skip-preview", "--refresh");
const announcedBy = (sandbox: Sandbox, what: string, hosts: readonly string[]): Promise<Check> => learns(sandbox, what, "ext", PREFIX, hosts);

export default {
  sandbox: { hosts: 2, kubernetes: true },

  prepare: (_sandbox, report) => kubernetesPlugin(report),

  configuration: ({ cluster }) => ({ "kubernetes:kubeconfig": cluster.kubeconfig }),

  async prove({ sandbox, example }): Promise<Check[]> {
    const { templates, generated } = await objects(sandbox);
    const checks = [await announcedBy(sandbox, "both hosts announce the network", HOSTS)];
    await misplace(sandbox, generated);
    checks.push(await announcedBy(sandbox, "an object of the announcement is changed by hand", HOSTS.slice(1)));
    await up(example);
    checks.push(await announcedBy(sandbox, "pulumi up --refresh repairs it", HOSTS));

    await misplace(sandbox, templates);
    const preview = await example.run("preview", "--refresh", "--diff");
    const line = "kubernetes:frrk8s.metallb.io/v1beta1:FRRConfiguration: (update)";
    checks.push({ what: "pulumi preview --refresh shows a template that is changed by hand", detail: line, ...(!preview.includes(line) && { failure: preview }) });
    await up(example);
    checks.push(
      await attempt("pulumi up --refresh repairs it, too", "templates for node1 and node2", async () => {
        const nodes = (await objects(sandbox)).templates.map(nodeOf).sort();
        if (nodes.join() !== "node1,node2") throw new Error(nodes.join());
        return undefined;
      }),
      await announcedBy(sandbox, "and both hosts still announce the network", HOSTS),
    );
    return checks;
  },
} satisfies Scenario;
