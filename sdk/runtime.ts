import { flushCompileCache } from "node:module";

/** What the provider process loads. Stack programs import `pulumi-ovn`. */
export { provider } from "@pulumi-ovn/provider/runtime";

// Where modules are kept compiled (NODE_COMPILE_CACHE), Node writes them when a process ends; Pulumi kills this one.
flushCompileCache();
