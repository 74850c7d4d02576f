import "./require-node";
import "@pulumi-ovn/provider/kept-compiled";
import "./young-heap";
import { flushCompileCache } from "node:module";
import type { dynamic } from "@pulumi/pulumi";
import { provider as providerOf, stop } from "@pulumi-ovn/provider/runtime";
import { endWithEngine } from "./engine-loss";

/** What the provider process loads. Stack programs import `pulumi-ovn`. */
export function provider(kind: string): dynamic.ResourceProvider {
  const made = providerOf(kind);
  // The modules of a kind are loaded with the first resource that needs them.
  flushCompileCache();
  return made;
}

endWithEngine(stop);
// Node writes compiled modules when a process ends; Pulumi kills this one.
flushCompileCache();
