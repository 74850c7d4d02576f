import type { MergeView } from "./merge-view";

type RouterView = MergeView["routers"][number];

/** Of one VRF on one node: what has been said so far, and by whom. */
interface Merged {
  readonly label: string;
  readonly asn: string;
  id: { readonly value: string; readonly label: string } | undefined;
  readonly neighbors: Map<string, { readonly label: string; readonly settings: Readonly<Record<string, string>> }>;
}

/**
 * Where FRRConfigurations that apply to one node contradict each other. frr-k8s then takes nothing of any of them: what
 * the node has stays as it is, and only the log of frr-k8s and FRRNodeState say why.
 */
export function conflictsOf(views: readonly MergeView[]): string[] {
  const found: string[] = [];
  const merged = new Map<string, Merged>();
  for (const { label, namespace, routers } of views) {
    for (const router of routers) {
      const key = `${namespace}/${router.vrf}`;
      const here = merged.get(key);
      if (here === undefined) merged.set(key, begin(label, router));
      else found.push(...merge(here, label, router));
    }
  }
  return found;
}

function begin(label: string, { asn, id, neighbors }: RouterView): Merged {
  return {
    label,
    asn,
    id: id === undefined ? undefined : { value: id, label },
    neighbors: new Map([...neighbors].map(([session, settings]) => [session, { label, settings }])),
  };
}

function merge(here: Merged, label: string, router: RouterView): string[] {
  const found: string[] = [];
  const vrf = router.vrf === "" ? "the main VRF" : `VRF ${router.vrf}`;
  if (here.asn !== router.asn) found.push(`${label} has asn ${router.asn} for ${vrf}, ${here.label} has ${here.asn}`);
  if (router.id !== undefined) {
    if (here.id === undefined) here.id = { value: router.id, label };
    else if (here.id.value !== router.id) found.push(`${label} has router id ${router.id} for ${vrf}, ${here.id.label} has ${here.id.value}`);
  }
  for (const [session, settings] of router.neighbors) {
    const known = here.neighbors.get(session);
    if (known === undefined) {
      here.neighbors.set(session, { label, settings });
      continue;
    }
    for (const [name, value] of Object.entries(settings)) {
      if (known.settings[name] !== value) found.push(`${label} has ${name} ${said(value)} for neighbour ${session} in ${vrf}, ${known.label} has ${said(known.settings[name])}`);
    }
  }
  return found;
}

function said(value: string | undefined): string {
  return value === undefined || value === "" ? "none" : value;
}
