import { KubernetesApi, kubernetesPrograms, startKubernetesApi } from "@pulumi-ovn/sandbox";
import type { ServerSite } from "@pulumi-ovn/sandbox/testing";

/** The API server of a worker, and the keys of what etcd had before the first file of tests. */
interface Kept {
  readonly site: ServerSite;
  readonly own: readonly string[];
}

/** Lasts as long as the worker. */
const worker = (globalThis as unknown as { nodeRequire: NodeJS.Require }).nodeRequire("./worker.cjs") as { kubernetes?: string };

/**
 * The API server that a worker keeps from one of its files of tests to the next: each start of one takes seconds of the processor.
 * Those who get it find it as the first one did.
 * @param prepare what all files need
 */
export async function keptKubernetes(users: readonly string[], prepare: (api: KubernetesApi) => Promise<unknown>): Promise<KubernetesApi> {
  if (worker.kubernetes !== undefined) {
    const { site, own } = JSON.parse(worker.kubernetes) as Kept;
    await removeOthers(site, new Set(own));
    return new KubernetesApi(site, await kubernetesPrograms(() => undefined));
  }
  const parent = process.env["PULUMI_OVN_TEST_SHARED"];
  const api = await startKubernetesApi({ users: users.map((name) => ({ name, groups: [] })), ...(parent !== undefined && { parent }) });
  try {
    await prepare(api);
    worker.kubernetes = JSON.stringify({ site: api.site, own: await keysOf(api.site) } satisfies Kept);
  } catch (error) {
    await api.stop();
    throw error;
  }
  api.unref();
  return api;
}

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A request to etcd. */
async function ask(site: ServerSite, call: string, body: object): Promise<any> {
  const answer = await fetch(`http://127.0.0.1:${site.ports.client}/v3/kv/${call}`, { method: "POST", body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`etcd's ${call}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

/** Keys in base64, as etcd returns them. */
async function keysOf(site: ServerSite): Promise<string[]> {
  const { kvs } = await ask(site, "range", { key: base64("/registry/"), range_end: base64("/registry0"), keys_only: true });
  return kvs.map(({ key }: { key: string }) => key);
}

/** By etcd itself: without controllers the API server would never be done with a namespace. It follows as it follows another API server. */
async function removeOthers(site: ServerSite, own: ReadonlySet<string>): Promise<void> {
  const others = (await keysOf(site)).filter((key) => !own.has(key));
  // A transaction has at most 128 operations.
  for (let at = 0; at < others.length; at += 100)
    await ask(site, "txn", { success: others.slice(at, at + 100).map((key) => ({ request_delete_range: { key } })) });
}
