import * as k8s from "@pulumi/kubernetes";
import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";

// frr-k8s reads FRRConfigurations of its own namespace only.
const NAMESPACE = "frr-k8s-system";
const LABELS = { "use-for-advertisements": "fabric" };
const NEIGHBOR = { address: "172.18.0.1", asn: 64512 };

// The provider object and pulumi-ovn's cluster "default" are one cluster: the one of `kubernetes:kubeconfig`.
const cluster = new k8s.Provider("cluster", { kubeconfig: new pulumi.Config("kubernetes").require("kubeconfig") });

const annotations = {
  // A run that dies before its state is written leaves objects that the next run creates again. Without this it refuses them: "field conflict".
  "pulumi.com/patchForce": "true",
  // Templates have no dependents to wait for.
  "pulumi.com/deletionPropagationPolicy": "background",
};

const templates = ["node1", "node2"].map(
  (node) =>
    new k8s.apiextensions.CustomResource(
      `peers-${node}`,
      {
        apiVersion: "frrk8s.metallb.io/v1beta1",
        kind: "FRRConfiguration",
        metadata: { name: `peers-${node}`, namespace: NAMESPACE, labels: LABELS, annotations },
        spec: { nodeSelector: { matchLabels: { "kubernetes.io/hostname": node } }, bgp: { routers: [{ asn: 64513, neighbors: [NEIGHBOR] }] } },
      },
      { provider: cluster },
    ),
);

const announcement = new ovn.RouteAdvertisement(
  "announcement",
  {
    cluster: "default",
    namespace: NAMESPACE,
    name: "blue",
    networks: { blue: { topology: "layer2", subnets: ["203.203.0.0/16"] } },
    // The templates are read when they exist, so not in the preview that creates them.
    frrConfigurationSelector: { matchLabels: pulumi.all(templates.map(({ id }) => id)).apply(() => LABELS) },
    advertisements: ["PodNetwork"],
  },
  { dependsOn: templates },
);

/** Prefixes by node. */
export const announced = announcement.announced;
