/** Minimal definitions of ovn-kubernetes' kinds (k8s.ovn.org/v1), for clusters that have no ovn-kubernetes. */
const OVN_KUBERNETES = [
  ["RouteAdvertisements", "routeadvertisements", "routeadvertisements"],
  ["ClusterUserDefinedNetwork", "clusteruserdefinednetworks", "clusteruserdefinednetwork"],
  ["EgressIP", "egressips", "egressip"],
] as const;

const anything = { type: "object", "x-kubernetes-preserve-unknown-fields": true };

const definition = (group: string, kind: string, plural: string, singular: string, scope: "Cluster" | "Namespaced", schema: object) => ({
  apiVersion: "apiextensions.k8s.io/v1",
  kind: "CustomResourceDefinition",
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    scope,
    names: { kind, plural, singular, listKind: `${kind}List` },
    versions: [{ name: "v1", served: true, storage: true, subresources: { status: {} }, schema: { openAPIV3Schema: schema } }],
  },
});

export const ovnKubernetesCrds: readonly object[] = OVN_KUBERNETES.map(([kind, plural, singular]) =>
  definition("k8s.ovn.org", kind, plural, singular, "Cluster", { type: "object", properties: { spec: anything, status: anything } }),
);

/** A kind with everything that server-side apply treats in its own way: a default, a list by key, a set, a list as a whole. */
export const gadgetCrd = definition("test.pulumi-ovn", "Gadget", "gadgets", "gadget", "Namespaced", {
  type: "object",
  properties: {
    spec: {
      type: "object",
      required: ["size"],
      properties: {
        size: { type: "integer", minimum: 1 },
        color: { type: "string", default: "grey" },
        note: { type: "string" },
        ports: {
          type: "array",
          "x-kubernetes-list-type": "map",
          "x-kubernetes-list-map-keys": ["name"],
          items: {
            type: "object",
            required: ["name"],
            properties: { name: { type: "string" }, number: { type: "integer" }, protocol: { type: "string", default: "TCP" } },
          },
        },
        tags: { type: "array", "x-kubernetes-list-type": "set", items: { type: "string" } },
        steps: { type: "array", items: { type: "object", properties: { do: { type: "string" }, times: { type: "integer", default: 1 } } } },
        selector: { type: "object", properties: { labels: { type: "object", additionalProperties: { type: "string" } } } },
      },
    },
    status: anything,
  },
});
