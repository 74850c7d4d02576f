import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";
import type { Host } from "./hosts";
import { peersOf } from "./peers";

/** FRRConfigurations as resources of the stack. */
export interface Templates {
  readonly resources: readonly pulumi.Resource[];
  /** Known when all of them are in the cluster. */
  readonly ids: pulumi.Output<readonly string[]>;
}

/** A template for each host: by `@pulumi/kubernetes` when the stack's configuration has `kubernetesPlugin: true`, else by this package. */
export function templatesOf(hosts: Readonly<Record<string, Host>>, cluster: string): Templates {
  // Only then is the package needed, and its plugin.
  if (new pulumi.Config().getBoolean("kubernetesPlugin")) return (require("./custom-resources") as typeof import("./custom-resources")).customResources(hosts);
  const objects = Object.fromEntries(Object.entries(hosts).map(([node, host]) => [node, peersOf(node, host)]));
  const peers = new ovn.KubernetesObjects("peers", { cluster, objects });
  return { resources: [peers], ids: pulumi.all([peers.id]) };
}
