import { preloading } from "@pulumi-ovn/provider/compiled";

/**
 * Options of Node.js for Pulumi's processes: every run of the engine loads the same thousand modules of Pulumi's, twice, before any of
 * this package. The processes that the option is meant for take it out of their environment again.
 * @param given those of the environment, which stay
 */
export function keepingCompiled(given: string | undefined, preload: string = require.resolve("@pulumi-ovn/provider/kept-compiled")): string {
  const option = preloading(preload);
  return given ? `${given} ${option}` : option;
}
