import { generateFrrConfigurations, type RouteAdvertisementArgs } from "@pulumi-ovn/provider";
import { awaitAdvertised, type ClusterReader, type Lists, type ObjectReader, readCluster, schema } from "@pulumi-ovn/provider/testing";
import { DEFAULT, USER_DEFINED, facts, network, node, receive, spec } from "../../support/advertisement";

/** A cluster that answers by kind: the next of its answers each time, and the last one again. */
function cluster(answers: Record<string, unknown[][]>) {
  const asked: string[] = [];
  const reader: ClusterReader = {
    has: (_version, kind) => Promise.resolve(answers[kind] !== undefined),
    list(apiVersion, kind, options) {
      asked.push(`${apiVersion} ${kind}${options?.namespace ? ` in ${options.namespace}` : ""}`);
      const left = answers[kind];
      if (left === undefined) return Promise.reject(Object.assign(new Error(`it has no ${kind}`), { code: "OVN_KIND_MISSING" }));
      return Promise.resolve(left.length > 1 ? left.shift()! : left[0]!);
    },
  };
  return { reader, asked };
}

const given = (args: Partial<RouteAdvertisementArgs>) => schema.parse({ cluster: "c", ...spec(), ...args });

describe("a read of a cluster", () => {
  const frr = { Node: [[node("node1")]], FRRConfiguration: [[receive()]] };

  it("lists only nodes and FRRConfigurations for networks of the stack, and the default network", async () => {
    const { reader, asked } = cluster(frr);
    expect(await readCluster(spec({ networks: { blue: { topology: "layer2" } } }), "frr", reader)).toEqual({
      nodes: [node("node1")],
      frrConfigurations: [receive()],
      networks: [],
      namespaces: [],
      egressIPs: [],
      attachments: [],
    });
    expect(asked).toEqual(["v1 Node", "frrk8s.metallb.io/v1beta1 FRRConfiguration in frr"]);
  });

  it("lists no EgressIPs if only the stack has egress addresses", async () => {
    const { reader, asked } = cluster(frr);
    const { networkSelectors: _none, ...rest } = spec({ advertisements: ["EgressIP"], networks: {} });
    await readCluster(rest, "frr", reader);
    expect(asked).toHaveLength(2);
  });

  it("lists each kind once for user-defined networks with egress addresses", async () => {
    const long = network("a-network-of-18-ch", "Layer3", ["10.0.0.0/16"]);
    const { reader, asked } = cluster({
      ...frr,
      Namespace: [[]],
      EgressIP: [[]],
      ClusterUserDefinedNetwork: [[long]],
      NetworkAttachmentDefinition: [[{ metadata: { name: "x" } }]],
    });
    expect((await readCluster(spec({ advertisements: ["EgressIP"], networkSelectors: [DEFAULT, USER_DEFINED] }), "frr", reader)).attachments).toEqual([
      { metadata: { name: "x" } },
    ]);
    expect(asked).toEqual([
      "v1 Node",
      "frrk8s.metallb.io/v1beta1 FRRConfiguration in frr",
      "k8s.ovn.org/v1 ClusterUserDefinedNetwork",
      "v1 Namespace",
      "k8s.ovn.org/v1 EgressIP",
      "k8s.cni.cncf.io/v1 NetworkAttachmentDefinition",
    ]);
  });

  it("reports missing kinds of ovn-kubernetes, and fails without those of frr-k8s", async () => {
    const { reader } = cluster({ ...frr, Namespace: [[]] });
    expect(await readCluster(spec({ advertisements: ["EgressIP"], networkSelectors: [DEFAULT, USER_DEFINED] }), "frr", reader)).toMatchObject({
      networks: [],
      egressIPs: [],
      missing: ["ClusterUserDefinedNetwork", "EgressIP"],
    });
    await expect(readCluster(spec(), "frr", cluster({ Node: [[]] }).reader)).rejects.toThrow("it has no FRRConfiguration");
  });

  describe("in a refresh", () => {
    const elsewhere = { ...receive(), metadata: { ...receive().metadata, namespace: "other" } };

    it("lists all FRRConfigurations, and returns those of the namespace", async () => {
      const { reader, asked } = cluster({ Node: [[]], FRRConfiguration: [[receive(), elsewhere]] });
      const lists: Lists = new Map();
      expect((await readCluster(spec(), "frr-k8s-system", reader, undefined, lists)).frrConfigurations).toEqual([receive()]);
      expect([...lists]).toEqual([["frrk8s.metallb.io/v1beta1 FRRConfiguration", [receive(), elsewhere]]]);
      expect(asked).toEqual(["v1 Node", "frrk8s.metallb.io/v1beta1 FRRConfiguration"]);
    });

    it.each<[string, string]>([
      ["OVN_FORBIDDEN", "returns those of the namespace if it may read no others"],
      ["OVN_CLUSTER_ERROR", "fails for another error"],
    ])("%s: %s", async (code) => {
      const reader: ClusterReader = {
        has: () => Promise.resolve(false),
        list: (_version, kind, options) =>
          kind === "Node" ? Promise.resolve([]) : options?.namespace ? Promise.resolve([receive()]) : Promise.reject(Object.assign(new Error("no"), { code })),
      };
      const lists: Lists = new Map();
      const reading = readCluster(spec(), "frr-k8s-system", reader, undefined, lists);
      if (code === "OVN_FORBIDDEN") expect([(await reading).frrConfigurations, lists.size]).toEqual([[receive()], 0]);
      else await expect(reading).rejects.toMatchObject({ code });
    });
  });

  it("fails if a kind can't be read for another reason", async () => {
    const reader: ClusterReader = {
      has: () => Promise.resolve(false),
      list: (_version, kind) => (kind === "EgressIP" ? Promise.reject(Object.assign(new Error("no"), { code: "OVN_FORBIDDEN" })) : Promise.resolve([])),
    };
    await expect(readCluster(spec({ advertisements: ["EgressIP"] }), "frr", reader)).rejects.toMatchObject({ code: "OVN_FORBIDDEN" });
  });
});

describe("a wait", () => {
  const { objects } = generateFrrConfigurations(spec(), facts());
  const state = (status: object) => [{ metadata: { name: "node1" }, status }];
  const loaded = state({ lastConversionResult: "success", lastReloadResult: "success", runningConfig: "network 10.244.0.0/24" });
  const session = (bgpStatus: string) => [{ metadata: { name: "x" }, status: { node: "node1", peer: "192.168.111.3", vrf: "", bgpStatus } }];
  const wait = (reader: ObjectReader, args: Partial<RouteAdvertisementArgs>) => awaitAdvertised(given({ timeout: 0.5, ...args }), objects, reader);

  it("ends when FRR and all other objects have lost a withdrawn prefix", async () => {
    const states = state({ lastConversionResult: "success", lastReloadResult: "success", runningConfig: "network 10.244.0.0/24" });
    const nodes = [{ metadata: { name: "node1", labels: {} } }];
    const withdrawing = (others: readonly object[]) => {
      const { reader } = cluster({ FRRNodeState: [states], Node: [nodes], FRRConfiguration: [[...others]] });
      return awaitAdvertised(given({ timeout: 0.3, waitFor: "applied" }), [], reader, undefined, objects);
    };
    const still = { code: "OVN_NOT_APPLIED", message: "not reached within 0.3 s: node node1: FRR still has 10.244.0.0/24" };
    await expect(withdrawing([])).rejects.toMatchObject(still);
    await withdrawing([{ metadata: { name: "theirs" }, spec: { raw: { rawConfig: "network 10.244.0.0/24" } } }]);
    // Remaining objects of the announcement itself do not count as objects of others.
    const { reader } = cluster({ FRRNodeState: [states], Node: [nodes], FRRConfiguration: [[...objects]] });
    const less = objects.map((object) => ({ ...object, spec: {} }));
    await expect(awaitAdvertised(given({ timeout: 0.3, waitFor: "applied" }), less, reader, undefined, objects)).rejects.toMatchObject(still);
  });

  it("reads nothing without a condition", async () => {
    const { reader, asked } = cluster({});
    await wait(reader, {});
    expect(asked).toEqual([]);
  });

  it("ends when FRR has loaded the configuration", async () => {
    const { reader, asked } = cluster({ FRRNodeState: [[], state({}), loaded] });
    await wait(reader, { waitFor: "applied", timeout: 60 });
    expect(asked).toEqual(Array.from({ length: 3 }, () => "frrk8s.metallb.io/v1beta1 FRRNodeState"));
  });

  it("ends when the sessions are established after that", async () => {
    const { reader, asked } = cluster({ FRRNodeState: [loaded], BGPSessionState: [session("OpenSent"), session("Established")] });
    await wait(reader, { waitFor: "established", timeout: 60 });
    expect(asked).toEqual([
      "frrk8s.metallb.io/v1beta1 FRRNodeState",
      ...Array.from({ length: 2 }, () => "frrk8s.metallb.io/v1beta1 BGPSessionState in frr-k8s-system"),
    ]);
  });

  it.each([
    [
      "a configuration that was not loaded",
      { waitFor: "applied" as const },
      { FRRNodeState: [state({ lastConversionResult: "failed: multiple asns" })] },
      "OVN_NOT_APPLIED",
      "not reached within 0.5 s: node node1: frr-k8s could not merge the FRRConfigurations: failed: multiple asns",
    ],
    [
      "a session that is not established",
      { waitFor: "established" as const },
      { FRRNodeState: [loaded], BGPSessionState: [session("Active")] },
      "OVN_NOT_ESTABLISHED",
      "not reached within 0.5 s: node node1: the session with 192.168.111.3 is in state Active (no connection: no answer, a refusal, or another password)",
    ],
  ])("reports %s at its timeout", async (_what, args, answers, code, message) => {
    await expect(wait(cluster(answers).reader, args)).rejects.toMatchObject({ code, message });
  });

  it("names five of many nodes", async () => {
    const nodes = Array.from({ length: 7 }, (_, index) => node(`node${index}`, { default: `10.244.${index}.0/24` }));
    const many = generateFrrConfigurations(spec(), facts({ nodes })).objects;
    await expect(awaitAdvertised(given({ timeout: 0.1, waitFor: "applied" }), many, cluster({ FRRNodeState: [[]] }).reader)).rejects.toThrow(
      /node node4: [^;]*; 2 more$/,
    );
  });

  it("ends when it is cancelled", async () => {
    const controller = new AbortController();
    const waiting = awaitAdvertised(given({ timeout: 600, waitFor: "applied" }), objects, cluster({ FRRNodeState: [[]] }).reader, controller.signal);
    controller.abort();
    await expect(waiting).rejects.toMatchObject({ code: "OVN_ABORTED", message: "the operation was cancelled" });
  });

  it.each(["OVN_CLUSTER_UNREACHABLE", "OVN_CLUSTER_ERROR"])("continues after a temporary error of the cluster: %s", async (code) => {
    const away = Object.assign(new Error("away"), { code });
    let looks = 0;
    const reader = (times: number): ObjectReader => ({
      list: (...asked) => (looks++ < times ? Promise.reject(away) : cluster({ FRRNodeState: [loaded] }).reader.list(...asked)),
    });
    await awaitAdvertised(given({ waitFor: "applied", timeout: 60 }), objects, reader(2));
    expect(looks).toBe(3);
    await expect(awaitAdvertised(given({ waitFor: "applied", timeout: 0.3 }), objects, reader(Infinity))).rejects.toBe(away);
  });

  describe("for a cluster that does not answer", () => {
    /** Answers a number of requests; later ones end only by their signal. */
    const silentAfter = (answers: number, answer: ObjectReader): ObjectReader => ({
      list: (version, kind, options, signal) =>
        answers-- > 0
          ? answer.list(version, kind, options, signal)
          : new Promise((_resolve, reject) =>
              signal!.addEventListener("abort", () => reject(Object.assign(new Error("no answer"), { code: "OVN_CLUSTER_UNREACHABLE" }))),
            ),
    });
    let limits: number[];
    beforeEach(() => {
      limits = [];
      const { timeout } = AbortSignal;
      jest.spyOn(AbortSignal, "timeout").mockImplementation((milliseconds) => (limits.push(milliseconds), timeout.call(AbortSignal, 100)));
    });
    afterEach(() => jest.restoreAllMocks());
    const refused = (args: Partial<RouteAdvertisementArgs>, reader: ObjectReader) =>
      awaitAdvertised(given({ timeout: 60, ...args }), objects, reader).catch(({ code, message }: Error & { code: string }) => `${code}: ${message}`);

    it.each<[Partial<RouteAdvertisementArgs>, string]>([
      [{ waitFor: "applied" }, "OVN_NOT_APPLIED"],
      [{ mode: "controller" }, "OVN_NOT_ACCEPTED"],
    ])("ends at the wait's timeout: %j", async (args, code) => {
      expect(await refused(args, silentAfter(0, cluster({}).reader))).toBe(`${code}: not reached within 60 s: the cluster has not answered in that time`);
      expect(limits.filter((limit) => limit > 60_000 || limit < 5_000)).toEqual([]);
    });

    it("ends at its timeout with the last missing condition, and reads the sessions in the remaining time", async () => {
      expect(await refused({ waitFor: "applied" }, silentAfter(1, cluster({ FRRNodeState: [[]] }).reader))).toMatch(
        /^OVN_NOT_APPLIED: not reached within 60 s: node node1: frr-k8s has not reported/,
      );
      expect(await refused({ waitFor: "established" }, silentAfter(1, cluster({ FRRNodeState: [loaded] }).reader))).toBe(
        "OVN_NOT_ESTABLISHED: not reached within 60 s: the cluster has not answered in that time",
      );
    });

    it("gives a cluster five seconds for an answer, also in a shorter wait, but not after its end", async () => {
      const reader = (answers: number) => silentAfter(answers, cluster({ FRRNodeState: [[]] }).reader);
      await refused({ waitFor: "applied", timeout: 0.05 }, reader(0));
      expect(limits.map((limit) => limit > 50 && limit <= 5_000)).toEqual([true]);
      const now = jest.spyOn(performance, "now");
      const began = Math.ceil(performance.now());
      now.mockReturnValueOnce(began).mockReturnValue(began + 60_000);
      expect(await refused({ waitFor: "applied" }, reader(0))).toBe("OVN_NOT_APPLIED: not reached within 60 s: the cluster has not answered in that time");
      expect(limits).toHaveLength(1);
    });
  });

  it("ends immediately without the right to read", async () => {
    const forbidden = Object.assign(new Error("no right"), { code: "OVN_FORBIDDEN" });
    await expect(awaitAdvertised(given({ waitFor: "applied", timeout: 600 }), objects, { list: () => Promise.reject(forbidden) })).rejects.toBe(forbidden);
  });

  describe("for ovn-kubernetes' controller", () => {
    const object = (generation: number, condition?: object) => [
      { metadata: { name: "other" } },
      {
        metadata: { name: "default", generation },
        ...(condition && {
          status: {
            conditions: [
              { type: "Other", status: "True" },
              { type: "Accepted", observedGeneration: 2, ...condition },
            ],
          },
        }),
      },
    ];
    const pending = { status: "False", reason: "ConfigurationPending", message: "no networks selected" };

    it("ends when the current generation is accepted", async () => {
      const { reader, asked } = cluster({ RouteAdvertisements: [object(2), object(2, pending), object(2, { status: "True", reason: "Accepted" })] });
      await wait(reader, { mode: "controller", timeout: 60 });
      expect(asked).toEqual(Array.from({ length: 3 }, () => "k8s.ovn.org/v1 RouteAdvertisements"));
    });

    it.each([
      ["what it refuses, at once", object(2, { status: "False", reason: "ConfigurationError", message: "no VRF matching" }), "no VRF matching"],
      ["what it waits for", object(2, pending), "not accepted within 0.5 s: no networks selected"],
      [
        "that it has not looked yet",
        object(3, { status: "True" }),
        "not accepted within 0.5 s: ovn-kubernetes has not looked at it; is its feature route-advertisements on?",
      ],
      ["that there is no answer", object(2), "not accepted within 0.5 s: ovn-kubernetes has not looked at it; is its feature route-advertisements on?"],
    ])("reports %s", async (_what, objectsThere, message) => {
      await expect(wait(cluster({ RouteAdvertisements: [objectsThere] }).reader, { mode: "controller" })).rejects.toMatchObject({
        code: "OVN_NOT_ACCEPTED",
        message,
      });
    });

    it("ends before its timeout if the object is refused", async () => {
      const { reader, asked } = cluster({ RouteAdvertisements: [object(2, { status: "False", reason: "ConfigurationError", message: "no" })] });
      await expect(wait(reader, { mode: "controller", timeout: 600 })).rejects.toThrow("no");
      expect(asked).toHaveLength(1);
    });
  });
});
