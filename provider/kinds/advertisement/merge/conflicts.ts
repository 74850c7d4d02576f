import type { MergeView, SessionView } from "./merge-view";

type RouterView = MergeView["routers"][number];

/** The first value of a setting, and the label of the object that sets it. */
interface Setting {
  readonly value: string;
  readonly label: string;
}

/** Settings of one VRF on one node so far, with the objects that set them. */
interface Merged {
  readonly asn: Setting;
  id: Setting | undefined;
  readonly neighbors: Map<string, Session>;
}

interface Session {
  readonly label: string;
  readonly settings: SessionView["settings"];
  /** Local preferences by prefix. */
  readonly preferences: Map<string, Setting>;
}

/**
 * Returns conflicts between FRRConfigurations that apply to one node, and FRRConfigurations that are invalid. In both
 * cases frr-k8s applies none of the node's objects: the configuration of the node stays as it is. Only the log of
 * frr-k8s and FRRNodeState contain the reason.
 */
export function conflictsOf(views: readonly MergeView[]): string[] {
  const found = new Conflicts();
  const faults = views.flatMap(({ label, faults: own }) => own.map((fault) => `${label}: ${fault}; frr-k8s takes no FRRConfiguration of the node then`));
  const merged = new Map<string, Merged>();
  const profiles = new Map<string, Setting>();
  for (const { label, namespace, routers, profiles: own } of views) {
    for (const [name, value] of own) {
      const other = conflicting(profiles, `${namespace}/${name}`, { value, label });
      if (other) found.add([namespace, name, value], `${label} has a BFD profile "${name}" with other values than that of ${other.label}`);
    }
    for (const router of routers) {
      const key = `${namespace}/${router.vrf}`;
      const here = merged.get(key) ?? { asn: { value: router.asn, label }, id: undefined, neighbors: new Map() };
      merged.set(key, here);
      merge(here, key, label, router, found);
    }
  }
  return [...faults, ...found.texts.map((conflict) => `${conflict}: frr-k8s takes neither`)];
}

/** Conflicts, each once: the objects that are generated from a template have the same values. */
class Conflicts {
  readonly #found = new Map<string, string>();

  add(what: readonly unknown[], text: string): void {
    const key = JSON.stringify(what);
    if (!this.#found.has(key)) this.#found.set(key, text);
  }

  get texts(): readonly string[] {
    return [...this.#found.values()];
  }
}

function merge(here: Merged, at: string, label: string, router: RouterView, found: Conflicts): void {
  const vrf = router.vrf === "" ? "the main VRF" : `VRF ${router.vrf}`;
  if (here.asn.value !== router.asn) found.add([at, "asn", router.asn], `${label} has asn ${router.asn} for ${vrf}, ${here.asn.label} has ${here.asn.value}`);
  if (router.id !== undefined) {
    here.id ??= { value: router.id, label };
    if (here.id.value !== router.id) found.add([at, "id", router.id], `${label} has router id ${router.id} for ${vrf}, ${here.id.label} has ${here.id.value}`);
  }
  for (const [session, { settings, preferences }] of router.neighbors) {
    const known = here.neighbors.get(session) ?? { label, settings, preferences: new Map() };
    here.neighbors.set(session, known);
    for (const [name, value] of Object.entries(settings)) {
      const other = known.settings[name];
      if (other !== value)
        found.add(
          [at, session, name, value],
          `${label} has ${name} ${valueText(value)} for neighbour ${session} in ${vrf}, ${known.label} has ${valueText(other)}${name === "bfdProfile" && (value === "" || other === "") ? ONE_SIDED : ""}`,
        );
    }
    for (const [prefix, value] of preferences) {
      const other = conflicting(known.preferences, prefix, { value, label });
      if (other)
        found.add(
          [at, session, prefix, value],
          `${label} has local preference ${value} of ${prefix} for neighbour ${session} in ${vrf}, ${other.label} has ${other.value}`,
        );
    }
  }
}

/**
 * frr-k8s 0.0.25 takes the profile in this case. Earlier releases, such as 0.0.17 and 0.0.21 which ovn-kubernetes
 * deploys, stop the configuration of the node. No object of a cluster contains the release, so this is refused for all
 * releases.
 */
const ONE_SIDED = " (which frr-k8s before 0.0.25 refuses: give both the same)";

/** Returns the earlier value of a key if it differs. */
function conflicting(known: Map<string, Setting>, key: string, setting: Setting): Setting | undefined {
  const first = known.get(key) ?? setting;
  known.set(key, first);
  return first.value === setting.value ? undefined : first;
}

function valueText(value: string | undefined): string {
  return value === undefined || value === "" ? "none" : value;
}
