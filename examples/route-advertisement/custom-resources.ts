import { CustomResource } from "@pulumi/kubernetes/apiextensions";
import * as pulumi from "@pulumi/pulumi";
import type { Host } from "./hosts";
import { peersOf } from "./peers";
import type { Templates } from "./templates";

/** The templates by `@pulumi/kubernetes`, in the cluster of `kubernetes:kubeconfig` or of the environment. */
export function customResources(hosts: Readonly<Record<string, Host>>): Templates {
  const resources = Object.entries(hosts).map(([node, host]) => new CustomResource(`peers-${node}`, peersOf(node, host)));
  return { resources, ids: pulumi.all(resources.map(({ id }) => id)) };
}
