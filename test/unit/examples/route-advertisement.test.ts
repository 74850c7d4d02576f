import type { Registered } from "../../support/program";

/** Resources that the example's program registers; modules are loaded again each time, as in each run of Pulumi. */
async function program(preview: boolean, configuration: Record<string, string> = {}): Promise<Map<string, Registered>> {
  let found: Registered[] = [];
  await jest.isolateModulesAsync(async () => {
    (require("@pulumi/pulumi") as typeof import("@pulumi/pulumi")).runtime.setAllConfig(configuration);
    const { registeredBy } = require("../../support/program") as typeof import("../../support/program");
    found = await registeredBy(() => void require("../../../examples/route-advertisement/index"), preview, {
      TunnelKeyPool: { keys: { blue: [16_715_779, 16_715_780] } },
      KubernetesObjects: preview ? { id: "" } : {},
      FRRConfiguration: preview ? { id: "" } : {},
    });
  });
  return new Map(found.map((resource) => [resource.name, resource]));
}

const NEIGHBOR = { asn: 64512, passwordSecret: { name: "fabric", namespace: "frr-k8s-system" }, holdTime: "9s", keepaliveTime: "3s", connectTime: "1s" };

it("announces the network over its templates' sessions, and waits until they are established", async () => {
  const resources = await program(false);
  expect(resources.get("announcement")).toEqual({
    kind: "RouteAdvertisement",
    name: "announcement",
    inputs: expect.objectContaining({
      cluster: "sandbox",
      name: "blue",
      networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16", "2010:100:200::/60"] } },
      frrConfigurationSelector: { matchLabels: { "use-for-advertisements": "fabric" } },
      advertisements: ["PodNetwork"],
      waitFor: "established",
    }),
  });
});

it("has a template for each host, with the gateway router as next hop and a Secret's name instead of a password", async () => {
  const resources = await program(false);
  const { objects } = resources.get("peers")!.inputs as { objects: Record<string, { metadata: object; spec: object }> };
  expect(Object.keys(objects)).toEqual(["node1", "node2"]);
  expect(objects["node2"]).toEqual({
    apiVersion: "frrk8s.metallb.io/v1beta1",
    kind: "FRRConfiguration",
    metadata: { name: "fabric-node2", namespace: "frr-k8s-system", labels: { "use-for-advertisements": "fabric" } },
    spec: {
      nodeSelector: { matchLabels: { "kubernetes.io/hostname": "node2" } },
      bgp: {
        routers: [
          {
            asn: 64513,
            neighbors: [
              { address: "172.18.0.1", ...NEIGHBOR, toReceive: { allowed: { mode: "filtered", prefixes: [{ prefix: "198.51.100.0/24" }] } } },
              { address: "fc00:f853:ccd:e793::1", ...NEIGHBOR },
            ],
          },
        ],
      },
      raw: {
        rawConfig: `route-map 172.18.0.1-out permit 1
 set ip next-hop 172.18.0.12
exit
route-map fc00:f853:ccd:e793::1-out permit 2
 set ipv6 next-hop global fc00:f853:ccd:e793::c
 set ipv6 next-hop local fe80::858:acff:fe12:c
exit`,
      },
    },
  });
});

it("translates only packets to the hosts themselves", async () => {
  const resources = await program(false);
  const zones = ["node1", "node2"].map((zone) => resources.get(`blue-gateway-${zone}`)!.inputs["snatDestinations"]);
  const own = ["172.18.0.111", "fc00:f853:ccd:e793::6f", "172.18.0.112", "fc00:f853:ccd:e793::70"];
  expect(zones).toEqual([own, own]);
});

it("looks up templates only if they exist: a preview that creates them does not know the selector yet", async () => {
  const { inputs } = (await program(true)).get("announcement")!;
  expect(inputs).toMatchObject({ name: "blue", waitFor: "established" });
  expect(inputs["frrConfigurationSelector"]).not.toEqual({ matchLabels: { "use-for-advertisements": "fabric" } });
});

describe("with kubernetesPlugin: true", () => {
  const WITH_PLUGIN = { "net:kubernetesPlugin": "true" };

  it("has the same templates as custom resources of @pulumi/kubernetes, and the same announcement", async () => {
    const [ours, theirs] = [await program(false), await program(false, WITH_PLUGIN)];
    const { objects } = ours.get("peers")!.inputs as { objects: Record<string, object> };
    const custom = [...theirs.values()].filter(({ kind }) => kind === "FRRConfiguration");
    const annotated = ({ metadata, ...rest }: { readonly metadata?: object }) => ({
      ...rest,
      metadata: { ...metadata, annotations: { "pulumi.com/deletionPropagationPolicy": "background" } },
    });
    expect(custom.map(({ name, inputs }) => [name, inputs])).toEqual([
      ["peers-node1", annotated(objects["node1"]!)],
      ["peers-node2", annotated(objects["node2"]!)],
    ]);
    const others = (resources: Map<string, Registered>) => [...resources.values()].filter(({ name }) => !name.startsWith("peers"));
    expect(others(theirs)).toEqual(others(ours));
  });

  it("looks them up only if they exist", async () => {
    const { inputs } = (await program(true, WITH_PLUGIN)).get("announcement")!;
    expect(inputs["frrConfigurationSelector"]).not.toEqual({ matchLabels: { "use-for-advertisements": "fabric" } });
    expect(inputs).toMatchObject({ name: "blue" });
  });
});
