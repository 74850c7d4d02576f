import type { WorkloadPortsArgs } from "@pulumi-ovn/provider";
import type * as pulumi from "@pulumi/pulumi";
import { agreedZone } from "../agreement";
import { type RowArgs, RowResource } from "../resource";

/**
 * The workloads of a layer-2 network as one zone sees them: ports for its own ones, remote ports for those elsewhere.
 */
export class WorkloadPorts extends RowResource {
  constructor(name: string, args: RowArgs<WorkloadPortsArgs>, options?: pulumi.CustomResourceOptions) {
    const zone = agreedZone("WorkloadPorts", name, args);
    super("WorkloadPorts", name, { ...args, zone }, [], options);
  }
}
