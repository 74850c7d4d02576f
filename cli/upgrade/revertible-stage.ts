import { rowKindOfType, TYPE_PREFIX } from "@pulumi-ovn/provider";
import { changeRevertibly, newId } from "../apply/run";
import { stackOf } from "../apply/stack";
import { openTarget, type TargetRef } from "../apply/targets";
import { CommandError } from "../command";
import { nameOf, type StackResource } from "./network";
import type { Preview } from "./preview";
import type { Tools } from "./tools";

interface Stage {
  readonly preview: Preview;
  readonly seconds: number;
  readonly update: () => Promise<void>;
  /** Throws if the gates do not pass. */
  readonly gates: () => Promise<void>;
}

/** Runs a stage as `pulumi-ovn apply --revert-in` runs a change. Returns whether the stage stays. */
export async function runRevertibly({ preview, seconds, update, gates }: Stage, { engine, zones, folder, reporter }: Tools): Promise<boolean> {
  const targets = await Promise.all(targetsOfStage(preview).map((ref) => openTarget(zones.connections, ref)));
  const [, name = "", project = ""] = /^urn:pulumi:([^:]+)::([^:]+)::/.exec(preview.changing[0] ?? "") ?? [];
  return changeRevertibly(
    targets,
    {
      id: newId(),
      stack: stackOf(project, name),
      seconds,
      before: await engine.exportState(),
      changing: preview.changing,
      update,
      verify: () => gates().then(() => []),
      isManual: false,
    },
    { engine, folder, say: (text) => reporter.say(`  ${text}`) },
  );
}

/** Databases that a stage changes. Throws a CommandError for changes of hosts and clusters. Pure. */
export function targetsOfStage({ before, after, changing }: Preview): TargetRef[] {
  const resources = new Map<string, StackResource>([...before, ...after].map((resource) => [resource.urn, resource]));
  const found = new Map<string, TargetRef>();
  for (const urn of changing) {
    const resource = resources.get(urn);
    if (!resource?.type.startsWith(TYPE_PREFIX) || resource.inputs.digest === undefined) continue;
    const kind = rowKindOfType(resource.type);
    const { zone } = resource.inputs;
    if (!kind || typeof zone !== "string")
      throw new CommandError("OVN_APPLY_TARGET", `only rows of zones can be undone, and the stage changes ${nameOf(urn)}; leave out --revert-in`);
    found.set(`${zone} ${kind.database}`, { kind: "zone", name: zone, database: kind.database });
  }
  return [...found.values()];
}
