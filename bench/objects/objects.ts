import type { KubernetesObject } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers } from "@pulumi-ovn/provider/tools";
import { KubernetesClient, startKubernetesApi } from "@pulumi-ovn/sandbox";
import { byTurns, ms, type Taken, timed } from "../kit/measure";
import type { Benchmark, Result } from "../kit/report";
import { minimalScript } from "./objects-peer";
import { previewResults } from "./preview";

const OBJECTS = 1_000;
const ROUNDS = 5;
const KIND = "KubernetesObjects";
const URN = `urn:pulumi:dev::bench::pulumi-nodejs:dynamic/ovn:${KIND}::set`;
const COLLECTION = "/api/v1/namespaces/default/configmaps";

const map = (name: string): KubernetesObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name, namespace: "default", labels: { app: "bench" } },
  data: { a: "1", b: name },
});
const named = (prefix: string) => Array.from({ length: OBJECTS }, (_, index) => map(`${prefix}-${index}`));

export const objects: Benchmark = {
  name: "objects",
  title: "1,000 objects in a Kubernetes cluster",
  method: `ConfigMaps in a real kube-apiserver. Peer: a script that applies the same objects with the same client library; ${ROUNDS} rounds in turns, medians. Then previews without changes, each in a new process; processor time, and requests as the server counts them.`,
  async run() {
    const api = await startKubernetesApi();
    try {
      return await measured(api.kubeconfig);
    } finally {
      await api.stop();
    }
  },
};

async function measured(kubeconfig: string): Promise<Result[]> {
  const handler = handlers[KIND]!;
  const request = { urn: URN, secrets: [], targets: new Connections({}, {}, { prod: { kubeconfig } }) };
  const cluster = new KubernetesClient(kubeconfig);
  const argumentsOf = (all: readonly KubernetesObject[]) => ({
    cluster: "prod",
    objects: Object.fromEntries(all.map((object) => [object.metadata.name, object])),
  });
  const create = async (all: readonly KubernetesObject[]) => {
    const { inputs } = await handler.check({ ...request, olds: {}, news: argumentsOf(all) });
    return { inputs, ...(await handler.create({ ...request, news: inputs })) };
  };
  const contender = (name: string, apply: (all: readonly KubernetesObject[]) => Promise<unknown>) => async () => {
    const start = process.cpuUsage();
    const clock = await timed(() => apply(named(name)));
    const { user, system } = process.cpuUsage(start);
    await cluster.must("DELETE", `${COLLECTION}?labelSelector=app%3Dbench`);
    return { clock, processor: (user + system) / 1000 };
  };
  const contenders = [contender("ours", create), contender("minimal", await minimalScript(kubeconfig, COLLECTION))];
  // Loads and compiles what all rounds share.
  for (const once of contenders) await once();
  const [ours, script] = (await byTurns(ROUNDS, contenders)) as [Taken, Taken];
  const kept = named("kept");
  const { inputs, outs } = await create(kept);
  const previews = await previewResults({ kind: KIND, kubeconfig, urn: URN, inputs, outs, news: argumentsOf(kept) }, ["configmaps"]);
  await request.targets.close();
  return [line("made", ours.clock, script.clock), line("made, processor time", ours.processor, script.processor), ...previews];
}

function line(what: string, ours: number, peer: number): Result {
  return { what, ours: ms(ours), peer: `script ${ms(peer)}`, ratio: (ours / peer).toFixed(2), goal: "at most 1.2", met: ours <= 1.2 * peer };
}
