import { FIRST_FREE_PORT_KEY, PORT_KEYS, gatewayPortKey } from "../../kit/address";

/**
 * Port keys of a layer-2 switch's own ports, the same in every zone. Without one, northd could give a port the key that a
 * workload or a node asks for later, and would then renumber it.
 */
export interface OwnPortKeys {
  /** Key of the link to the transit router. */
  readonly router: number;
  readonly management: number;
  /** Key of the alias of the gateway router in an upgrade. */
  readonly alias: number;
}

const USUAL: OwnPortKeys = { router: 1, management: 2, alias: 3 };

/**
 * Keys of the switch's own ports: the usual ones, unless a node's gateway router has them. ovn-kubernetes gives the lowest keys to the first
 * nodes, and a node's key can't change while packets flow. Then reserved keys from the highest down, the key that no address derives, and
 * remaining keys of the last nodes. They depend only on the nodes, so no stage of an upgrade changes them; workloads change them only with a
 * reserved key, as in ovn-kubernetes 1.2 and 1.3: then the usual keys are left to workloads.
 *
 * @param reserved keys of workloads below the free ones
 */
export function ownPortKeys(
  nodes: readonly { readonly id: number; readonly switchPortKey?: number | undefined }[],
  reserved: readonly number[] = [],
): OwnPortKeys {
  const left = reserved.length > 0 ? [...Object.values(USUAL), ...reserved] : [];
  const taken = new Set([...nodes.map(({ id, switchPortKey = gatewayPortKey(id) }) => switchPortKey), ...left]);
  const roles = Object.entries(USUAL) as [keyof OwnPortKeys, number][];
  const others = substitutes(new Set([...taken, ...roles.map(([, key]) => key)]));
  return Object.fromEntries(roles.map(([role, key]) => [role, taken.has(key) ? others.next().value : key])) as unknown as OwnPortKeys;
}

/** Keys of workloads that are the switch's own otherwise. */
export function reservedKeys(workloads: readonly { readonly tunnelKey?: number | undefined }[]): number[] {
  return workloads.flatMap(({ tunnelKey }) => (tunnelKey !== undefined && tunnelKey < FIRST_FREE_PORT_KEY ? [tunnelKey] : []));
}

function* substitutes(taken: ReadonlySet<number>): Generator<number, never> {
  for (let key = FIRST_FREE_PORT_KEY - 1; key > 0; key--) if (!taken.has(key)) yield key;
  if (!taken.has(FIRST_FREE_PORT_KEY)) yield FIRST_FREE_PORT_KEY;
  for (let key = PORT_KEYS.last; ; key--) if (!taken.has(key)) yield key;
}
