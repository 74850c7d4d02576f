import { ArgumentError, networkTunnelKeys, type NetworkTunnelKeysArgs } from "@pulumi-ovn/provider";
import * as pulumi from "@pulumi/pulumi";
import { isPlain } from "../plain";
import { orRefuse } from "../program-error";
import type { Inputs } from "../resource";

/** A network's keys as a stack author gives them. */
export type TunnelKeysInput = Inputs<NetworkTunnelKeysArgs> | pulumi.Input<pulumi.Input<number>[]>;

type Nodes = Readonly<Record<string, { readonly encapsulation?: pulumi.Input<string | undefined> }>>;

/** The keys of a network, checked as soon as the keys and the kinds of the network's tunnels are known. */
export function checkedTunnelKeys(
  what: string,
  given: TunnelKeysInput,
  nodes: Nodes,
): { readonly switch: pulumi.Input<number>; readonly router: pulumi.Input<number> } {
  const encapsulations = Object.values(nodes).map(({ encapsulation }) => encapsulation);
  if (isPlain(given) && isPlain(encapsulations)) return orRefuse(what, () => networkTunnelKeys(given, encapsulations as string[]));
  const all = pulumi.output({ keys: given as unknown, encapsulations });
  const keys = pulumi
    .all([all, pulumi.isSecret(all)])
    .apply(([known, secret]) =>
      orRefuse(what, () => (secret ? withoutValues : plainly)(() => networkTunnelKeys(known.keys, known.encapsulations as string[]))),
    );
  return { switch: keys.switch, router: keys.router };
}

const plainly = <T>(call: () => T): T => call();

/** Keys that are secret stand in no message. */
function withoutValues<T>(call: () => T): T {
  try {
    return call();
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    throw new ArgumentError(error.failures.map((failure) => ({ ...failure, message: "is refused (the value is secret)" })));
  }
}
