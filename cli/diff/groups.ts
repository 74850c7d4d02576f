import type { TargetDifference, ResourceDifference } from "./model";

/** Zones in which the same happens: in a network that gets one node more, all the others. Hosts and clusters likewise. */
export interface TargetGroup {
  readonly names: readonly string[];
  readonly difference: TargetDifference;
  /** Resources of the first target. In their names `{zone}` (`{host}`, `{cluster}`) replaces the target if there are several. */
  readonly resources: readonly ResourceDifference[];
}

/** Groups in the order of their first targets. */
export function groupTargets(targets: readonly TargetDifference[]): TargetGroup[] {
  const groups = new Map<string, TargetDifference[]>();
  for (const difference of targets) {
    const key = JSON.stringify([difference.kind, difference.resources.map((resource) => ({ ...resource, name: withTargetName(resource.name, difference) }))]);
    groups.set(key, [...(groups.get(key) ?? []), difference]);
  }
  return [...groups.values()].map((alike) => {
    const [first] = alike as [TargetDifference];
    const resources = alike.length === 1 ? first.resources : first.resources.map((resource) => ({ ...resource, name: withTargetName(resource.name, first) }));
    return { names: alike.map(({ name }) => name), difference: first, resources };
  });
}

/** A resource's name without the name of its target. Only whole words are replaced, because "node11" also contains "node1". */
function withTargetName(text: string, { kind, name }: TargetDifference): string {
  if (name === "") return text;
  const parts = text.split(name);
  const isWord = (character: string | undefined) => character !== undefined && /[\p{L}\p{N}]/u.test(character);
  return parts.slice(1).reduce((text, part, index) => `${text}${isWord(parts[index]!.at(-1)) || isWord(part[0]) ? name : `{${kind}}`}${part}`, parts[0]!);
}
