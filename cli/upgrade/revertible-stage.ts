import { type ChangeResult, changeRevertibly, newId } from "../apply/run";
import { stackOf } from "../apply/stack";
import { openTarget, targetsOf } from "../apply/targets";
import { partsOf } from "../plan/steps";
import type { StackResource } from "../stack/resource";
import type { Preview } from "../stack/preview";
import type { Tools } from "./tools";

interface Stage {
  readonly preview: Preview;
  readonly seconds: number;
  readonly update: () => Promise<void>;
  /** Throws if the gates do not pass. */
  readonly gates: () => Promise<void>;
}

/** Runs a stage as `pulumi-ovn apply --revert-in` runs a change. */
export async function runRevertibly({ preview, seconds, update, gates }: Stage, { engine, zones, folder, reporter }: Tools): Promise<ChangeResult> {
  const { before, after, changing } = preview;
  const [former, wanted] = [byUrn(before), byUrn(after)];
  const changes = changing.map((urn) => ({ urn, sides: [former.get(urn), wanted.get(urn)] }));
  const targets = await Promise.all(targetsOf(changes, zones.connections).map((ref) => openTarget(zones.connections, ref)));
  const { project, stack } = partsOf(changing[0] ?? "");
  return changeRevertibly(
    targets,
    {
      id: newId(),
      stack: stackOf(project, stack),
      seconds,
      before: await engine.exportState(),
      changing,
      update,
      verify: () => gates().then(() => []),
      isManual: false,
    },
    { engine, folder, say: (text) => reporter.say(`  ${text}`) },
  );
}

const byUrn = (resources: readonly StackResource[]) => new Map(resources.map((resource) => [resource.urn, resource]));
