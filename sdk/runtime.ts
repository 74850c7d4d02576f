import "./require-node";
import type { dynamic } from "@pulumi/pulumi";
import { provider as providerOf, stop } from "@pulumi-ovn/provider/runtime";
import { endWithEngine } from "./engine-loss";

/** Module that the provider process loads. Stack programs import `pulumi-ovn`. */
export function provider(kind: string): dynamic.ResourceProvider {
  return providerOf(kind);
}

endWithEngine(stop);
