import { type Command, CommandError, JSON_OPTION, options, type Options, parsed } from "../command";
import { endAtSignal } from "../end-at-signal";
import { chosenStackFile, CWD_OPTION, SELECTED_STACK_OPTION, STACK_OPTION } from "../stack/stack-file";
import { Guard } from "./guard";
import { KeptState } from "./kept-state";
import { printError, printJson } from "../output";
import { findApplies, type Found } from "./pending";
import { confirmed, MARGIN } from "./run";
import { connectionsIn, openStack, say } from "./stack";
import type { PendingApply } from "./target";
import { forget, putBack, undoEverywhere } from "./undo";

const stackOptions = { stack: STACK_OPTION, cwd: CWD_OPTION } as const satisfies Options;

function one(positionals: readonly string[]): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw new CommandError("OVN_USAGE", "expected one ID, as pulumi-ovn pending prints it");
  return id;
}

function withId({ found, lost }: Awaited<ReturnType<typeof findApplies>>, id: string): readonly Found[] {
  const own = found.filter(({ record }) => record.id === id);
  if (own.length > 0) return own;
  const unreached = lost.length === 0 ? "" : `; not reached: ${lost.join("; ")}`;
  throw new CommandError("OVN_APPLY_UNKNOWN", `no target of this stack has a pending apply ${JSON.stringify(id)}: it was confirmed, or undone${unreached}`);
}

function obstacleIn({ phase, deadline }: PendingApply, title: string): string[] {
  if (phase === "undone") return [`undone in ${title}`];
  // Otherwise some targets could confirm it and others undo it.
  return Date.parse(deadline) - Date.now() < MARGIN ? [`its deadline in ${title} is ${deadline}, and a confirmation needs ${MARGIN / 1000} s`] : [];
}

const EXIT = "Exit code: 0 done; 1 failed; 2 usage error.";

const NO_JSON = "There is no --json: the exit code has the result.";

function targetsOfChoice(stack: string | undefined, cwd: string | undefined) {
  const { folder, stack: name } = chosenStackFile({ stack, cwd });
  return { ...connectionsIn(folder, name ?? stack), folder };
}

export const confirmCommand: Command = {
  summary: "keep what pulumi-ovn apply --revert-in has changed",
  forms: ["ID [OPTIONS]"],
  about: "Keeps a pending apply in all databases of the stack. Needs no Pulumi and no state.",
  options: stackOptions,
  notes: `${NO_JSON}\n\n${EXIT}`,
  run: async (args) => {
    const { values, positionals } = parsed(args, stackOptions, true);
    const id = one(positionals);
    const { targets, folder } = targetsOfChoice(values.stack, values.cwd);
    try {
      const { found, lost } = await findApplies(targets);
      const own = withId({ found, lost }, id);
      const obstacles = [...own.flatMap(({ target, record }) => obstacleIn(record, target.title)), ...lost.map((each) => `not reached: ${each}`)];
      if (obstacles.length > 0) throw new CommandError("OVN_APPLY_UNKNOWN", `apply ${id} can't be confirmed: ${obstacles.join("; ")}`);
      const kept = new KeptState(folder, id);
      const changed = kept.targetsIfHere;
      await confirmed(
        own.map(({ target }) => target),
        kept,
        say,
      );
      if (changed > own.length)
        say(
          `! the apply has changed ${changed} targets, and ${own.length} had it pending: the others confirmed it before, or the file of targets has changed; run "pulumi up --refresh" after the deadline`,
        );
      return 0;
    } finally {
      await targets.close();
    }
  },
};

const cancelOptions = {
  forget: { help: "do not restore the state, after pulumi refresh" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

export const cancelCommand: Command = {
  summary: "undo what pulumi-ovn apply --revert-in has changed",
  forms: ["ID [OPTIONS]"],
  about: `Undoes a pending apply in all targets of the stack and puts the state back. Completes an apply
that was undone while its command was dead.`,
  options: cancelOptions,
  notes: `${NO_JSON}\n\n${EXIT}`,
  run: async (args) => {
    const { values, positionals } = parsed(args, cancelOptions, true);
    const id = one(positionals);
    const { targets, engine, folder } = await openStack(values.stack, values.cwd);
    try {
      const own = withId(await findApplies(targets), id).map(({ target }) => target);
      const kept = new KeptState(folder, id);
      if (values.forget) {
        for (const target of own.toReversed()) await target.undo(id);
        await forget(own, kept);
        return 0;
      }
      const lost = await undoEverywhere(own, id, 0, say);
      if (lost.length > 0) throw new CommandError("OVN_APPLY_UNKNOWN", `apply ${id} is not undone everywhere: ${lost.join("; ")}`);
      await putBack(own, kept, engine, say);
      return 0;
    } finally {
      await targets.close();
    }
  },
};

const pendingOptions = { json: JSON_OPTION, ...stackOptions } as const satisfies Options;

export const pendingCommand: Command = {
  summary: "list applies that are not confirmed",
  forms: ["[OPTIONS]"],
  about: `Lists pending applies, and undone ones whose state is not put back, in the stack's
targets.`,
  options: pendingOptions,
  notes: EXIT,
  run: async (args) => {
    const { json, stack, cwd } = options(args, pendingOptions);
    const { targets } = targetsOfChoice(stack, cwd);
    try {
      const { found, lost } = await findApplies(targets);
      const applies = found.map(({ target: { names }, record }) => ({ ...names, ...record }));
      if (json) printJson({ version: 1, applies, lost });
      else {
        for (const {
          target: { title },
          record,
        } of found)
          say(pendingText(title, record));
        if (applies.length === 0) say("no apply is pending");
      }
      for (const each of lost) printError(`pulumi-ovn pending: not reached: ${each}\n`);
      return lost.length > 0 ? 1 : 0;
    } finally {
      await targets.close();
    }
  },
};

function pendingText(title: string, { id, phase, rows, parts, objects, stack, by, deadline, timer, kept }: PendingApply): string {
  const changes = objects > 0 ? `${objects} objects` : `${rows} rows${parts > 0 ? `, ${parts} sets of flows or files` : ""}`;
  return [
    `${id} ${phase}: ${title}, ${changes}, stack ${stack}, by ${by}, deadline ${deadline}; the undo waits in ${timer}`,
    ...kept.map((label) => `  ! ${label} was changed by another writer, and stays`),
  ].join("\n");
}

export const guardCommand: Command = {
  summary: "undo applies at their deadlines, next to their targets",
  forms: ["[OPTIONS]"],
  about: `Watches the targets of the file of targets, and undoes each apply that is not confirmed at its
deadline. The targets contain all records: a restarted guard continues. Runs until SIGTERM. Run it
on a machine that reaches the targets without the network that is changed.`,
  options: stackOptions,
  notes: `${NO_JSON}\n\n${EXIT}`,
  run: async (args) => {
    const { stack, cwd } = options(args, stackOptions);
    const { targets } = targetsOfChoice(stack, cwd);
    const guard = new Guard(targets, say);
    using _ = endAtSignal((code) => void guard.end().finally(() => process.exit(code)));
    say(`watching ${guard.titles.join(", ")}`);
    await guard.run();
    return 0;
  },
};
