import "./require-node";
import "@pulumi-ovn/provider/kept-compiled";
import { flushCompileCache } from "node:module";
import { stop } from "@pulumi-ovn/provider/runtime";
import { endWithEngine } from "./engine-loss";

/** What the provider process loads. Stack programs import `pulumi-ovn`. */
export { provider } from "@pulumi-ovn/provider/runtime";

endWithEngine(stop);
// Node writes compiled modules when a process ends; Pulumi kills this one.
flushCompileCache();
