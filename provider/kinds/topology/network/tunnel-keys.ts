import { z } from "zod";
import { VXLAN_DATAPATH_KEYS } from "../../../kit/address";
import { accepted } from "../../../kit/arguments/validate";
import { wording } from "../../../kit/arguments/wording";
import { Failures } from "../../../kit/arguments/failures";
import { datapathKey } from "../fields";

/** The keys of a network, by what has them. */
export interface NetworkTunnelKeysArgs {
  /** Key of the layer-2 switch. */
  switch: number;
  /** Key of the transit router. */
  router: number;
}

/** Checked: in the one shape, whichever was given. */
export interface NetworkTunnelKeys extends NetworkTunnelKeysArgs {
  /** Property path of each key in the arguments. */
  readonly paths: { readonly switch: string; readonly router: string };
}

const named = z.strictObject({ switch: datapathKey, router: datapathKey });
const listed = z.array(datapathKey).superRefine((keys, context) => {
  const got = keys.length !== 2 ? keys.length : keys[0] === keys[1] ? "the same one twice" : undefined;
  if (got === undefined) return;
  context.addIssue({
    code: "custom",
    message: `needs two different keys, one for the switch and one for the transit router; got ${got}`,
    params: { code: "tunnel-keys" },
  });
});

/** Either shape. Not a union: its errors would not show which part is wrong. */
export const tunnelKeys = z.custom<NetworkTunnelKeysArgs | number[]>().transform((given, context): NetworkTunnelKeys => {
  const { success, data, error } = (Array.isArray(given) ? listed : named).safeParse(given, { error: wording });
  if (!success) {
    context.issues.push(...(error.issues as z.core.$ZodRawIssue[]));
    return z.NEVER;
  }
  if (!Array.isArray(data)) return { ...data, paths: { switch: ".switch", router: ".router" } };
  return { switch: data[0]!, router: data[1]!, paths: { switch: "[0]", router: "[1]" } };
});

/** Checks keys that are invalid in any network. */
export function checkTunnelKeys(keys: NetworkTunnelKeys, vxlan: boolean, failures: Failures): void {
  if (keys.switch === keys.router) failures.add(`tunnelKeys${keys.paths.router}`, "duplicate", `tunnel key ${keys.router} is already used by the switch`);
  if (!vxlan) return;
  for (const role of ["switch", "router"] as const) {
    const key = keys[role];
    if (key > VXLAN_DATAPATH_KEYS.last)
      failures.add(`tunnelKeys${keys.paths[role]}`, "out-of-range", `tunnel key ${key} does not fit in VXLAN: keys end at ${VXLAN_DATAPATH_KEYS.last} there`);
  }
}

const schema = z.object({ tunnelKeys });

/** Keys that are known later than the rest of their network, which has been checked without them. Throws ArgumentError. */
export function networkTunnelKeys(given: unknown, encapsulations: readonly (string | undefined)[]): NetworkTunnelKeysArgs {
  const { tunnelKeys: keys } = accepted(schema, { tunnelKeys: given });
  const failures = new Failures();
  checkTunnelKeys(keys, encapsulations.includes("vxlan"), failures);
  failures.throwIfAny();
  return { switch: keys.switch, router: keys.router };
}
