import type { RequestContext } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import type { KubernetesObject } from "@pulumi-ovn/provider";

/** Number of parallel calls, as in the package. */
const CONCURRENCY = 16;

export async function each<Item>(items: readonly Item[], call: (item: Item) => Promise<unknown>): Promise<void> {
  const left = items[Symbol.iterator]();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const item of left) await call(item);
    }),
  );
}

/** The least that the same client can do: requests of known paths, with credentials and connections that are kept. */
export async function minimalScript(kubeconfig: string, collection: string): Promise<(objects: readonly KubernetesObject[]) => Promise<void>> {
  const { KubeConfig, RequestContext: Context, IsomorphicFetchHttpLibrary: Library } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  config.loadFromFile(kubeconfig);
  const { server } = config.getCurrentCluster()!;
  const authenticated: RequestContext = new Context(server, "PATCH" as never);
  await config.applySecurityAuthentication(authenticated);
  const http = new Library();
  return (objects) =>
    each(objects, async (object) => {
      const asked = new Context(`${server}${collection}/${object.metadata.name}?fieldManager=script`, "PATCH" as never);
      for (const [name, value] of Object.entries({ ...authenticated.getHeaders(), "content-type": "application/apply-patch+yaml" }))
        asked.setHeaderParam(name, value);
      asked.setDispatcher(authenticated.getDispatcher()!);
      asked.setBody(JSON.stringify(object));
      const { httpStatusCode, body } = await http.send(asked).toPromise();
      const text = await body.text();
      if (httpStatusCode >= 300) throw new Error(text);
    });
}
