import type { Outputs } from "@pulumi-ovn/provider";
import type { Backend } from "@pulumi-ovn/provider/testing";

/** A back end whose target is a host that has nothing, and where everything that is asked for works, but for what a test has of its own. */
export function stubBackend<Desired extends Outputs>(own: Pick<Backend<Desired>, "digest"> & Partial<Backend<Desired>>): Backend<Desired> {
  return {
    target: "host",
    arguments: [],
    located: [],
    unknown: {},
    failures: () => [],
    describe: () => "host",
    lines: () => ({}),
    hide: (desired) => desired,
    id: () => "id",
    locate: () => Promise.resolve({}),
    read: () => Promise.resolve(undefined),
    remove: () => Promise.resolve(),
    ensure: () => Promise.resolve(),
    ...own,
  };
}
