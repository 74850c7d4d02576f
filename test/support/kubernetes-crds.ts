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

const text = { type: "string" };
const flag = { type: "boolean" };
const record = (properties: object, required: readonly string[] = []) => ({ type: "object", properties, required });
const named = (values: object) => ({ type: "object", additionalProperties: values });
const listOf = (items: object) => ({ type: "array", items });

/**
 * Stack of Pulumi's Kubernetes operator 2 (pulumi.com/v1): what a stack from a git repository has, and of the pod's template what changes its
 * container. Names, types and required fields are those of the operator's Go types; it has no further fields, and refuses other types of references.
 */
export const stackCrd = definition(
  "pulumi.com",
  "Stack",
  "stacks",
  "stack",
  "Namespaced",
  record({
    spec: record(
      {
        ...{ stack: text, backend: text, secretsProvider: text, config: named(text), serviceAccountName: text },
        ...{ projectRepo: text, repoDir: text, branch: text, commit: text, shallow: flag },
        ...{ refresh: flag, expectNoRefreshChanges: flag, destroyOnFinalize: flag, continueResyncOnCommitMatch: flag, retryOnUpdateConflict: flag },
        resyncFrequencySeconds: { type: "integer", format: "int64" },
        envRefs: named(
          record(
            {
              type: { type: "string", enum: ["Env", "FS", "Secret", "Literal"] },
              secret: record({ name: text, namespace: text, key: text }, ["name", "key"]),
              env: record({ name: text }, ["name"]),
              filesystem: record({ path: text }, ["path"]),
              literal: record({ value: text }, ["value"]),
            },
            ["type"],
          ),
        ),
        workspaceTemplate: record({
          metadata: anything,
          spec: record({
            image: text,
            podTemplate: record({
              metadata: anything,
              spec: record(
                {
                  containers: listOf(
                    record(
                      {
                        name: text,
                        env: listOf(record({ name: text, value: text, valueFrom: anything }, ["name"])),
                        volumeMounts: listOf(record({ name: text, mountPath: text, subPath: text, readOnly: flag }, ["name", "mountPath"])),
                      },
                      ["name"],
                    ),
                  ),
                  volumes: listOf(record({ name: text, secret: record({ secretName: text, optional: flag }), configMap: anything }, ["name"])),
                },
                ["containers"],
              ),
            }),
          }),
        }),
      },
      ["stack"],
    ),
    status: anything,
  }),
);
