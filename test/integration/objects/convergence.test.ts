/** @once Writers that are cut short, and counts of requests: a second run would hide what the first one found. */
import type { KubernetesObject, ObjectSet } from "@pulumi-ovn/provider";
import { Cluster, ensureObjects, removeObjects } from "@pulumi-ovn/provider/testing";
import { TestCluster } from "../../support/kubernetes";
import { ObjectResource, targetsIn } from "../../support/object-resource";

jest.setTimeout(120_000);

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await TestCluster.kept();
});

const surroundings = { folder: "/", environment: {} };
const OWNER = "urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:KubernetesObjects::cut";

/** A process that dies at its nth write: before it is sent, or after the server has it. */
class Dying extends Cluster {
  constructor(
    settings: { kubeconfig: string },
    private writes: number,
    private readonly after: boolean,
  ) {
    super(settings, surroundings);
  }

  override apply(...given: Parameters<Cluster["apply"]>) {
    return this.#write(() => super.apply(...given));
  }

  override delete(...given: Parameters<Cluster["delete"]>) {
    return this.#write(() => super.delete(...given));
  }

  async #write<T>(write: () => Promise<T>): Promise<T> {
    const dies = this.writes-- <= 0;
    if (dies && !this.after) throw new Error("killed");
    const result = await write();
    if (dies) throw new Error("killed");
    return result;
  }
}

const gadget = (name: string, size: number): KubernetesObject => ({
  apiVersion: "test.pulumi-ovn/v1",
  kind: "Gadget",
  metadata: { name, namespace: "default" },
  spec: { size },
});
const map = (name: string, data: object): KubernetesObject => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace: "default" }, data });
const FIRST: ObjectSet = { objects: [gadget("a", 1), gadget("b", 1), map("c", { x: "1" }), map("d", {})] };
const SECOND: ObjectSet = { objects: [gadget("a", 2), gadget("e", 1), map("c", { x: "2" })] };

async function live(): Promise<Record<string, unknown>> {
  const all = [
    ...(await cluster.must("GET", "/apis/test.pulumi-ovn/v1/gadgets")).items,
    ...(await cluster.must("GET", "/api/v1/namespaces/default/configmaps")).items,
  ];
  return Object.fromEntries(
    all.filter(({ metadata }) => metadata.name !== "kube-root-ca.crt").map(({ metadata, spec, data }) => [metadata.name, spec?.size ?? data ?? {}]),
  );
}

it.each([false, true])("converges after a kill at any write (after the server's commit: %j)", async (after) => {
  const whole = { owner: OWNER, managers: undefined, cluster: new Cluster(cluster.target(), surroundings) };
  for (let write = 0; write < 8; write++) {
    const dying = () => ({ ...whole, cluster: new Dying(cluster.target(), write, after) });
    await ensureObjects(dying(), FIRST).catch(() => undefined);
    await ensureObjects(whole, FIRST);
    expect({ write, live: await live() }).toEqual({ write, live: { a: 1, b: 1, c: { x: "1" }, d: {} } });
    await ensureObjects(dying(), SECOND, FIRST).catch(() => undefined);
    // The next run knows what the state knew: the first set.
    await ensureObjects(whole, SECOND, FIRST);
    expect({ write, live: await live() }).toEqual({ write, live: { a: 2, c: { x: "2" }, e: 1 } });
    await removeObjects(dying(), SECOND).catch(() => undefined);
    await removeObjects(whole, SECOND);
    expect({ write, live: await live() }).toEqual({ write, live: {} });
  }
});

/** Requests for gadgets, counted by the server. */
async function requests(verb: string): Promise<number> {
  const text = (await cluster.ask("GET", "/metrics")).body as string;
  const lines = text
    .split("\n")
    .filter((line) => line.startsWith("apiserver_request_total{") && line.includes('resource="gadgets"') && line.includes(`verb="${verb}"`));
  return lines.reduce((sum, line) => sum + Number(line.split(" ").at(-1)), 0);
}

it("reads 200 unchanged objects by one list, and writes only differing ones", async () => {
  const resource = new ObjectResource(targetsIn(cluster));
  const all = (size: number) => Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`g${index}`, gadget(`g${index}`, index === 7 ? size : 1)]));
  const counts = async () => ({ list: await requests("LIST"), get: await requests("GET"), apply: await requests("APPLY") });
  const during = async (run: () => Promise<unknown>) => {
    const before = await counts();
    await run();
    const after = await counts();
    return { list: after.list - before.list, get: after.get - before.get, apply: after.apply - before.apply };
  };
  // One list by the mark, one of names: none is taken.
  expect(await during(() => resource.up(all(1)))).toEqual({ list: 2, get: 0, apply: 200 });
  expect(await during(() => resource.refresh())).toEqual({ list: 1, get: 0, apply: 0 });
  expect(await during(() => resource.up(all(2)))).toEqual({ list: 1, get: 0, apply: 1 });
  expect(Object.keys(resource.inputs.rows as object)).toEqual(["Gadget.test.pulumi-ovn"]);
  expect(resource.inputs.rows["Gadget.test.pulumi-ovn"]).toMatch(/^200 objects, digest /);
  await resource.delete();
  expect(await live()).toEqual({});
});

it("stops at a cancellation, and reports its progress", async () => {
  const controller = new AbortController();
  const target = { owner: OWNER, managers: undefined, cluster: new Cluster(cluster.target(), surroundings), signal: controller.signal };
  controller.abort();
  await expect(ensureObjects(target, FIRST)).rejects.toMatchObject({ code: "OVN_ABORTED" });
  expect(await live()).toEqual({});
  const bad: ObjectSet = { objects: [...FIRST.objects, gadget("z", 0)] };
  await expect(ensureObjects({ ...target, signal: undefined }, bad)).rejects.toMatchObject({
    code: "OVN_OBJECT_INVALID",
    message: expect.stringMatching(/; 4 of 5 objects were written, the next run continues from there$/),
  });
  await removeObjects({ ...target, signal: undefined }, bad);
  expect(await live()).toEqual({});
});

it("finds list elements by a key that the server added", async () => {
  const resource = new ObjectResource(targetsIn(cluster));
  const path = "/api/v1/namespaces/default/services/named";
  const service = (last: object): KubernetesObject => ({
    apiVersion: "v1",
    kind: "Service",
    metadata: { name: "named", namespace: "default" },
    spec: { ports: [{ name: "udp", port: 53, protocol: "UDP" }, { name: "tcp", port: 53 }, last] },
  });
  const drift = async () => ((await resource.refresh())!.props.drift ?? {}) as unknown;
  await resource.up({ named: service({ name: "web", port: 80 }) });
  expect((await cluster.must("GET", path)).spec.ports[2]).toMatchObject({ protocol: "TCP" });
  expect(await drift()).toEqual({});
  await cluster.edit(path, {
    spec: {
      ports: [
        { name: "udp", port: 53, protocol: "UDP" },
        { name: "tcp", port: 53, protocol: "TCP" },
        { name: "theirs", port: 80, protocol: "TCP" },
      ],
    },
  });
  expect(await drift()).toEqual({ "Service default/named": "spec.ports[2].name=theirs instead of web" });
  await resource.up({ named: service({ name: "web", port: 81 }) });
  expect(await drift()).toEqual({});
  expect((await cluster.must("GET", path)).spec.ports.map(({ port, name }: any) => `${name} ${port}`)).toEqual(["udp 53", "tcp 53", "web 81"]);
  await resource.delete();
});
