import { CustomResource } from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import type { Host } from "./hosts";
import { peersOf } from "./peers";
import type { Templates } from "./templates";

/** Templates have no dependents, for which the plugin would otherwise have the cluster's garbage collector look. The sandbox has none. */
const annotations = { "pulumi.com/deletionPropagationPolicy": "background" };

/** The templates by `@pulumi/kubernetes`, in the cluster of `kubernetes:kubeconfig` or of the environment. */
export function customResources(hosts: Readonly<Record<string, Host>>): Templates {
  const resources = Object.entries(hosts).map(([node, host]) => {
    const { metadata, ...rest } = peersOf(node, host);
    return new CustomResource(`peers-${node}`, { ...rest, metadata: { ...metadata, annotations } });
  });
  return { resources, ids: pulumi.all(resources.map(({ id }) => id)) };
}
