import { readFile } from "node:fs/promises";
import { request } from "node:https";
import { join } from "node:path";
import type { KubernetesObject } from "@pulumi-ovn/provider";
import type { KubernetesApi } from "@pulumi-ovn/sandbox";

/** As many calls at the same time as the package makes. */
const CONCURRENCY = 16;

export interface ObjectScript {
  apply(objects: readonly KubernetesObject[]): Promise<void>;
  remove(objects: readonly KubernetesObject[]): Promise<void>;
}

/** What somebody would write by hand with the client library. */
export async function objectScript(kubeconfig: string): Promise<ObjectScript> {
  const { KubeConfig, KubernetesObjectApi, PatchStrategy } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const client = KubernetesObjectApi.makeApiClient(config);
  const each = async (objects: readonly KubernetesObject[], call: (object: KubernetesObject) => Promise<unknown>) => {
    const left = [...objects];
    await Promise.all(Array.from({ length: CONCURRENCY }, async () => {
      for (let object = left.pop(); object; object = left.pop()) await call(object);
    }));
  };
  return {
    apply: (objects) => each(objects, (object) => client.patch(object as never, undefined, undefined, "script", false, PatchStrategy.ServerSideApply)),
    remove: (objects) => each(objects, (object) => client.delete(object as never)),
  };
}

/** How many requests for a resource the server has counted; those that change something are not among them. */
export async function requestsFor(api: KubernetesApi, resource: string): Promise<number> {
  const ca = await readFile(join(api.folder, "apiserver.crt"));
  const text = await new Promise<string>((resolve, reject) => {
    const asked = request(`${api.url}/metrics`, { ca, headers: { authorization: `Bearer ${api.token()}` } }, (response) => {
      let body = "";
      response.on("data", (chunk: Buffer) => (body += chunk.toString()));
      response.on("end", () => resolve(body));
    });
    asked.once("error", reject);
    asked.end();
  });
  const lines = text.split("\n").filter((line) => line.startsWith("apiserver_request_total{") && line.includes(`resource="${resource}"`) && /verb="(LIST|GET|WATCH)"/.test(line));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}
