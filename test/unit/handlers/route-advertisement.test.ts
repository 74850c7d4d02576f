import type { ObjectRendered } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Backend, type ClusterReader, DynamicAdapter, type Handler, InitializationError, routeAdvertisement } from "@pulumi-ovn/provider/testing";
import { type Live, ResourceHandler } from "@pulumi-ovn/provider/tools";
import { ownerOf } from "../../support/provider";
import { UPSTREAM, node, receive, spec, template } from "../../support/advertisement";

/** A back end that keeps what was written. */
class Memory implements Backend<ObjectRendered> {
  readonly target = "cluster";
  readonly arguments = [];
  readonly located = [];
  readonly unknown = {};
  written: readonly string[] | undefined;

  failures = () => [];
  describe = () => 'cluster "c"';
  lines = ({ set }: ObjectRendered) => Object.fromEntries(set.objects.map(({ metadata }) => [metadata.name, "object"]));
  hide = (desired: ObjectRendered) => desired;
  digest = ({ set }: ObjectRendered) => JSON.stringify(set);
  impact = () => [];
  id = () => "id";
  locate = () => Promise.resolve({});
  read = (_subject: unknown, desired: ObjectRendered): Promise<Live> =>
    Promise.resolve({ lines: this.lines(desired), digest: this.digest(desired), drift: {} });
  ensure = (_subject: unknown, { set }: ObjectRendered) => Promise.resolve(void (this.written = set.objects.map(({ metadata }) => metadata.name)));
  remove = () => Promise.resolve(void (this.written = undefined));
}

let clusterObjects: Record<string, unknown[]> = {};
const OPTIONAL = ["EgressIP"];
const reader: ClusterReader = {
  has: () => Promise.resolve(false),
  list: (_version, kind) =>
    clusterObjects[kind] === undefined && OPTIONAL.includes(kind)
      ? Promise.reject(Object.assign(new Error(`it has no ${kind}`), { code: "OVN_KIND_MISSING" }))
      : Promise.resolve(clusterObjects[kind] ?? []),
};
const targets = { cluster: () => reader, describeCluster: () => 'cluster "c"' } as unknown as Connections;
const request = { urn: "urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:RouteAdvertisement::blue", secrets: [], targets };

let memory: Memory;
let handler: Handler;
beforeEach(() => {
  clusterObjects = { Node: [node("node1", { default: "10.244.0.0/24" })], FRRConfiguration: [receive()] };
  memory = new Memory();
  handler = new ResourceHandler(routeAdvertisement, memory);
});

const ARGS = { cluster: "c", ...spec() };
const check = async (args: object = ARGS, olds = {}) => handler.check({ ...request, olds, news: { ...args } });

describe("handler of RouteAdvertisement", () => {
  it("warns in a preview of prefixes that are not announced, and continues", async () => {
    clusterObjects.Node = [node("node1", { default: ["10.244.0.0/24", "fd00::/64"] })];
    const { inputs, diagnostics } = await check();
    expect(diagnostics).toEqual([
      {
        severity: "warning",
        path: "frrConfigurationSelector",
        code: "OVN_WARN_NOT_ANNOUNCED",
        message: "the default network: no neighbour has an IPv6 session, so its IPv6 prefixes are not announced (node node1)",
      },
    ]);
    expect(inputs).toMatchObject({ accepted: true, announced: { node1: ["10.244.0.0/24"] } });
  });

  it("warns of values that only newer releases of frr-k8s refuse, and continues", async () => {
    const neighbor = {
      address: "192.168.111.4",
      asn: 1,
      toAdvertise: { allowed: { mode: "filtered", prefixes: ["fd00:8::/64"] }, withLocalPref: [{ localPref: 100, prefixes: ["fd00:8::/64"] }] },
    };
    clusterObjects.FRRConfiguration = [receive(), template("theirs", [{ asn: 64512, prefixes: ["fd00:8::/64"], neighbors: [neighbor] }], { labels: {} })];
    const { inputs, diagnostics } = await check();
    expect(diagnostics).toEqual([
      {
        severity: "warning",
        path: "frrConfigurationSelector",
        code: "OVN_WARN_MERGE_CONFLICT",
        message:
          "FRRConfiguration frr-k8s-system/theirs: neighbour 192.168.111.4 has a local preference for fd00:8::/64, and its session is of the other family; frr-k8s 0.0.20 and newer take no FRRConfiguration of the node then (node node1)",
      },
    ]);
    expect(inputs).toMatchObject({ accepted: true, announced: { node1: ["10.244.0.0/24"] } });
  });

  it("keeps the written state if a wait fails, with the missing effect", async () => {
    const { inputs } = await check({ ...ARGS, waitFor: "applied", timeout: 0.01 });
    const error = await handler.create({ ...request, news: inputs }).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(InitializationError);
    expect(error).toMatchObject({
      code: "OVN_NOT_APPLIED",
      id: "id",
      message:
        'OVN_NOT_APPLIED: RouteAdvertisement "blue" in cluster "c": not reached within 0.01 s: node node1: frr-k8s has not reported its state: check that it runs on the node',
      outs: { accepted: true, announced: { node1: ["10.244.0.0/24"] }, waitFor: "applied" },
    });
    expect(memory.written).toHaveLength(1);
    const { outs } = error as InitializationError;
    await expect(handler.update({ ...request, id: "id", olds: outs, news: inputs })).rejects.toMatchObject({ id: "id", code: "OVN_NOT_APPLIED" });
    await handler.delete({ ...request, id: "id", olds: outs });
    expect(memory.written).toBeUndefined();
  });

  it("also reads the former namespace for objects to withdraw", async () => {
    const labelled: unknown[] = [];
    const list = jest.spyOn(reader, "list").mockImplementation((_version, kind, scope) => {
      if (scope && "labels" in scope) labelled.push(scope.namespace);
      return Promise.resolve(clusterObjects[kind] ?? []);
    });
    const { inputs: olds } = await check();
    const { inputs: news } = await check({ ...ARGS, namespace: "moved", waitFor: "applied", timeout: 0.01 });
    await expect(handler.update({ ...request, id: "id", olds, news })).rejects.toMatchObject({ code: "OVN_NOT_APPLIED" });
    expect(labelled).toEqual(["frr-k8s-system", "moved"]);
    list.mockRestore();
  });

  it("does not report a failed wait if the objects could not be written", async () => {
    const { inputs } = await check({ ...ARGS, waitFor: "applied" });
    memory.ensure = () => Promise.reject(Object.assign(new Error("no right"), { code: "OVN_FORBIDDEN" }));
    const error = await handler.create({ ...request, news: inputs }).catch((thrown: unknown) => thrown);
    expect(error).not.toBeInstanceOf(InitializationError);
    expect(error).toMatchObject({ code: "OVN_FORBIDDEN" });
  });

  it("reports in a refresh why nothing can be generated, until something can", async () => {
    const { inputs } = await check();
    const { outs } = await handler.create({ ...request, news: inputs });
    clusterObjects.FRRConfiguration = [];
    const refused = (await handler.read({ ...request, id: "id", olds: outs }))!.props;
    expect(refused).toMatchObject({
      accepted: false,
      reason: "frrConfigurationSelector: no FRRConfiguration has such labels; generated ones are not used as templates",
      announced: { node1: ["10.244.0.0/24"] },
    });
    expect(handler.diff({ olds: refused, news: inputs }).changes).toBe(true);
    expect((await handler.read({ ...request, id: "id", olds: refused }))!.props).toEqual(refused);
    clusterObjects.FRRConfiguration = [receive()];
    const again = (await handler.read({ ...request, id: "id", olds: refused }))!.props;
    expect(again).toMatchObject({ accepted: true });
    expect(again.reason).toBeUndefined();
    expect(handler.diff({ olds: again, news: inputs }).changes).toBe(false);
  });

  it("reports no reason if arguments are secret", async () => {
    const { inputs } = await check();
    const { outs } = await handler.create({ ...request, news: inputs });
    clusterObjects.FRRConfiguration = [];
    const { props } = (await handler.read({ ...request, secrets: ["frrConfigurationSelector"], id: "id", olds: outs }))!;
    const reason = "nothing can be rendered from the current facts; the next preview shows the reason";
    expect(props).toEqual({ ...outs, accepted: false, digest: "refused", reason, drift: { refused: reason } });
  });

  /** Arguments that this release refuses and an older one wrote: the state has that release's facts. */
  it.each<[string, { advertisements: string[] }, () => void, string]>([
    [
      "egress addresses of a cluster that has no such kind",
      { advertisements: ["PodNetwork", "EgressIP"] },
      () => delete clusterObjects.EgressIP,
      "advertisements[1]: the cluster has no EgressIP",
    ],
    [
      "FRRConfigurations that contradict each other",
      { advertisements: ["PodNetwork"] },
      () =>
        void (clusterObjects.FRRConfiguration = [receive(), template("foreign", [{ asn: 64512, neighbors: [{ ...UPSTREAM, port: 1179 }] }], { labels: {} })]),
      "frrConfigurationSelector: FRRConfiguration frr-k8s-system/foreign has port 1179",
    ],
  ])("refreshes a stack with %s, which a check refuses, and accepts the corrected program", async (_what, given, change, reason) => {
    clusterObjects = { ...clusterObjects, EgressIP: [], Namespace: [] };
    const { inputs } = await check({ ...ARGS, ...given });
    const { outs } = await handler.create({ ...request, news: inputs });
    change();
    expect((await check({ ...ARGS, ...given }, inputs)).diagnostics).toEqual([expect.objectContaining({ severity: "error", message: expect.any(String) })]);
    const { props: refreshed } = (await handler.read({ ...request, id: "id", olds: outs }))!;
    expect(refreshed).toEqual({ ...outs, accepted: false, digest: "refused", reason: expect.stringContaining(reason), drift: { refused: refreshed.reason } });
    clusterObjects.FRRConfiguration = [receive()];
    const corrected = await check(ARGS, inputs);
    expect(corrected.diagnostics).toEqual([]);
    expect(handler.diff({ olds: refreshed, news: corrected.inputs }).changes).toBe(true);
    const { outs: updated } = await handler.update({ ...request, id: "id", olds: refreshed, news: corrected.inputs });
    expect(updated).toMatchObject({ accepted: true });
    expect(updated.reason).toBeUndefined();
  });

  describe("with ovn-kubernetes' controller", () => {
    const GIVEN = { ...ARGS, nodesPrepared: false, mode: "controller", timeout: 0.01 };
    const says = (condition?: object) =>
      (clusterObjects.RouteAdvertisements = [
        {
          metadata: { name: "default", generation: 1 },
          ...(condition && { status: { conditions: [{ type: "Accepted", observedGeneration: 1, ...condition }] } }),
        },
      ]);
    const accept = () => says({ status: "True", reason: "Accepted" });

    it("reports in a refresh whether the controller accepts the object, and why not; the next update waits", async () => {
      accept();
      const { inputs } = await check(GIVEN);
      const { outs } = await handler.create({ ...request, news: inputs });
      expect(outs).toMatchObject({ accepted: true, announced: {} });
      says({ status: "False", reason: "ConfigurationPending", message: "no networks selected" });
      const refused = (await handler.read({ ...request, id: "id", olds: outs }))!.props;
      expect(refused).toMatchObject({ accepted: false, reason: "no networks selected" });
      expect(handler.diff({ olds: refused, news: inputs }).changes).toBe(true);
      await expect(handler.update({ ...request, id: "id", olds: refused, news: inputs })).rejects.toMatchObject({ code: "OVN_NOT_ACCEPTED" });
      accept();
      const { outs: updated } = await handler.update({ ...request, id: "id", olds: refused, news: inputs });
      expect(updated).toMatchObject({ accepted: true });
      const again = (await handler.read({ ...request, id: "id", olds: refused }))!.props;
      expect([again.accepted, again.reason, handler.diff({ olds: again, news: inputs }).changes]).toEqual([true, undefined, false]);
    });

    it.each<[string, object | undefined, string]>([
      ["never answers", undefined, "not accepted within 0.01 s: ovn-kubernetes has not looked at it; is its feature route-advertisements on?"],
      ["refuses", { status: "False", reason: "ConfigurationError", message: "no VRF matching" }, "no VRF matching"],
    ])("keeps in the state that the controller %s", async (_what, condition, reason) => {
      says(condition);
      const error = await handler.create({ ...request, news: (await check(GIVEN)).inputs }).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(InitializationError);
      expect(error).toMatchObject({ code: "OVN_NOT_ACCEPTED", outs: { accepted: false, reason } });
    });

    it("names the resource if a refresh can't read the object", async () => {
      accept();
      const { outs } = await handler.create({ ...request, news: (await check(GIVEN)).inputs });
      jest.spyOn(reader, "list").mockRejectedValue(Object.assign(new Error("no right"), { code: "OVN_FORBIDDEN" }));
      await expect(handler.read({ ...request, id: "id", olds: outs })).rejects.toMatchObject({
        code: "OVN_FORBIDDEN",
        message: 'OVN_FORBIDDEN: RouteAdvertisement "blue" in cluster "c": no right',
      });
      jest.restoreAllMocks();
    });
  });

  it("reports other failures of a refresh unchanged", async () => {
    const { inputs } = await check();
    const { outs } = await handler.create({ ...request, news: inputs });
    memory.read = () => Promise.reject(Object.assign(new Error("gone"), { code: "OVN_CLUSTER_UNREACHABLE" }));
    await expect(handler.read({ ...request, id: "id", olds: outs })).rejects.toMatchObject({ code: "OVN_CLUSTER_UNREACHABLE" });
  });
});

it("a failed wait is an error that Pulumi treats as created and not initialized", async () => {
  const failing = {
    create: () =>
      Promise.reject(new InitializationError(Object.assign(new Error("OVN_NOT_APPLIED: not reached"), { code: "OVN_NOT_APPLIED" }), "id", { cluster: "c" })),
  };
  const made = new DynamicAdapter(failing as unknown as Handler);
  const owner = ownerOf("RouteAdvertisement", "blue");
  // Without the provider's text it could be neither refreshed nor deleted.
  await expect(made.create({ owner, __provider: "text" })).rejects.toMatchObject({
    message: "OVN_NOT_APPLIED: not reached",
    id: "id",
    properties: { cluster: "c", owner, __provider: "text" },
    reasons: ["OVN_NOT_APPLIED: not reached"],
  });
});
