import { type Command, CommandError, options, type Options } from "../command";
import { differenceOf } from "../diff/difference";
import { hasChanges } from "../diff/model";
import { compose } from "../diff/render/document";
import { textFormat } from "../diff/render/text";
import { planOf } from "../plan/plan";
import { readPreview } from "../plan/preview";
import { differenceFrom, readSavedPlan, savedPlanOf } from "../plan/saved";
import { readSource } from "../plan/source";
import { CWD_OPTION, SELECTED_STACK_OPTION } from "../stack/stack-file";
import { updateText } from "../stack/engine";
import { CurrentState } from "./checks";
import { recover } from "./pending";
import { revertTime } from "./revert-time";
import { applyRevertibly } from "./run";
import { openStack, type OpenStack } from "./stack";

const known = {
  "revert-in": { value: "SECONDS", help: "undo the change after this time unless it is confirmed, 10 to 3600; default: never" },
  probe: { value: "COMMAND", help: "shell command that must succeed before the change, and twice in a row after it" },
  "no-chassis": { help: "do not wait for chassis, only for northd" },
  "no-intents": { help: "do not judge the program's intents on the live databases" },
  "no-status": { help: "do not judge VPCs and BGP exposures as pulumi-ovn status does" },
  "no-auto-confirm": { help: "leave a successful change pending, for pulumi-ovn confirm" },
  plan: { value: "FILE", help: "apply only the plan that pulumi-ovn diff --save FILE wrote", completes: "file" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

async function run(args: readonly string[]): Promise<number> {
  const { "revert-in": revertIn, probe, "no-auto-confirm": isManual, plan: file, stack, cwd, ...without } = options(args, known);
  const checks = { probe, chassis: !without["no-chassis"], intents: !without["no-intents"], status: !without["no-status"] };
  if (revertIn === undefined && (probe !== undefined || isManual || Object.values(without).some(Boolean)))
    throw new CommandError("OVN_USAGE", "--probe and the options --no-... need --revert-in: without it nothing is undone");
  if (probe?.trim() === "") throw new CommandError("OVN_USAGE", "--probe needs a command");
  const time = revertIn === undefined ? undefined : revertTime(revertIn);
  const approved = file === undefined ? undefined : await readSavedPlan(file);
  const opened = await openStack(stack, cwd);
  try {
    await recover(opened.targets, opened);
    const state = new CurrentState(opened.engine);
    // While the preview runs. An error is reported where the state is used.
    if (time !== undefined) state.deployment().catch(() => undefined);
    const source = await readSource({ file: undefined, stack: opened.engine.name, cwd: opened.folder, further: [] });
    const preview = readPreview(source.text, source.name);
    const difference = differenceOf(preview);
    opened.say(compose(textFormat(false)({ ...difference, failed: difference.failed || source.failed === true }), 0).trimEnd());
    if (source.failed || difference.failed) throw new CommandError("OVN_PREVIEW_FAILED", "the preview has errors; nothing is changed");
    if (approved) {
      const differences = differenceFrom(approved, savedPlanOf(preview));
      if (differences.length > 0)
        throw new CommandError("OVN_PLAN_DIFFERS", `the change is not the one in ${file}; nothing is changed:\n${differences.join("\n")}`);
    }
    if (!hasChanges(difference)) return 0;
    if (time === undefined) return await applyPlainly(opened);
    return await applyRevertibly({ seconds: time, checks, isManual }, { ...opened, plan: planOf(preview), preview, state });
  } finally {
    await opened.targets.close();
  }
}

async function applyPlainly({ engine, say }: OpenStack): Promise<number> {
  say(updateText(await engine.up("pulumi-ovn apply")));
  return 0;
}

export const applyCommand: Command = {
  summary: "run pulumi up, of an approved plan, and undo it unless probes succeed",
  forms: ["[OPTIONS]", "--revert-in SECONDS [--probe COMMAND] [OPTIONS]"],
  about: `Previews, prints what changes, and runs "pulumi up". With --plan it refuses any other change than
the approved one. With --revert-in each database gets the exact inverse of every transaction, each
host its former flows, and each cluster its former objects. The change is undone at the deadline,
with the stack's state, unless these hold twice in a row before: northd has translated it, chassis
have installed it, no intent is broken, pulumi-ovn status shows no error, and the probe succeeds.
All are looked at before the change, too. One that fails already is named and can't undo the change;
the probe must succeed.`,
  options: known,
  notes: `The undo waits on the host of each target, otherwise in pulumi-ovn guard, otherwise only in this
command. The output shows where.

There is no --json: use pulumi-ovn diff --json and pulumi-ovn pending --json.

Exit code: 0 done, or pending with --no-auto-confirm; 1 failed or undone; 2 usage error.`,
  run,
};
