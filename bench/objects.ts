import type { KubernetesObject } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers } from "@pulumi-ovn/provider/tools";
import { startKubernetesApi, type KubernetesApi } from "@pulumi-ovn/sandbox";
import { inTurns, median, ms, timed } from "./measure";
import { objectScript, requestsFor } from "./objects-peer";
import type { Benchmark } from "./report";

const OBJECTS = 1_000;
const ROUNDS = 5;
const URN = "urn:pulumi:dev::bench::pulumi-nodejs:dynamic/ovn:KubernetesObjects::set";

const map = (name: string): KubernetesObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default", labels: { app: "bench" } }, data: { a: "1", b: name } });
const named = (prefix: string) => Array.from({ length: OBJECTS }, (_, index) => map(`${prefix}-${index}`));

export const objects: Benchmark = {
  name: "objects",
  title: "1,000 objects in a Kubernetes cluster",
  method:
    "ConfigMaps in a real kube-apiserver. Made by a resource of this package, with all that it looks at before, and by a script that applies the same objects with the same client library, sixteen at a time; " +
    "five rounds in turns, medians. Then what `pulumi preview --refresh` asks of the provider where nothing has changed: read, check and diff; requests as the server counts them.",
  async run() {
    const api = await startKubernetesApi();
    try {
      return await measured(api);
    } finally {
      await api.stop();
    }
  },
};

async function measured(api: KubernetesApi) {
  const handler = handlers.KubernetesObjects!;
  const targets = new Connections({}, {}, { prod: { kubeconfig: api.kubeconfig } });
  const request = { urn: URN, secrets: [], targets };
  const argumentsOf = (all: readonly KubernetesObject[]) => ({ cluster: "prod", objects: Object.fromEntries(all.map((object) => [object.metadata.name, object])) });
  const checked = async (olds: object, all: readonly KubernetesObject[]) => (await handler.check({ ...request, olds: { ...olds }, news: argumentsOf(all) })).inputs;
  let outs: Record<string, unknown> = {};
  const ours = async () => {
    const all = named("ours");
    const time = await timed(async () => ({ outs } = await handler.create({ ...request, news: await checked({}, all) })));
    await handler.delete({ ...request, id: "id", olds: outs });
    return time;
  };
  const script = await objectScript(api.kubeconfig);
  const peer = async () => {
    const all = named("peer");
    const time = await timed(() => script.apply(all));
    await script.remove(all);
    return time;
  };
  // What is loaded and compiled once, by both.
  await ours();
  await peer();
  const made = await inTurns(ROUNDS, ours, peer);
  const inputs = await checked({}, named("kept"));
  ({ outs } = await handler.create({ ...request, news: inputs }));
  const preview = async () => {
    const found = await handler.read({ ...request, id: "id", olds: outs });
    const news = await checked(found!.inputs!, named("kept"));
    if (handler.diff({ olds: found!.props, news }).changes) throw new Error("something has changed");
  };
  const before = await requestsFor(api, "configmaps");
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) times.push(await timed(preview));
  const requests = ((await requestsFor(api, "configmaps")) - before) / ROUNDS;
  const time = median(times);
  return [
    { what: "made", ours: ms(made.ours), peer: `script ${ms(made.peer)}`, ratio: (made.ours / made.peer).toFixed(2), goal: "at most 1.2", met: made.ours <= 1.2 * made.peer },
    { what: "preview with refresh, nothing changed", ours: ms(time), peer: "", ratio: "", goal: "at most 2 s", met: time <= 2_000 },
    { what: "its requests", ours: String(requests), peer: "", ratio: "", goal: "1 for each kind", met: requests === 1 },
  ];
}
