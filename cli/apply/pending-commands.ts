import { setTimeout } from "node:timers/promises";
import { undoApply } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError, JSON_OPTION, options, type Options, parsed } from "../command";
import { endAtSignal } from "../end-at-signal";
import { chosenStackFile, CWD_OPTION, SELECTED_STACK_OPTION, STACK_OPTION } from "../stack-file";
import { configuredDatabases, openDatabase } from "./databases";
import { KeptState } from "./kept-state";
import { findApplies, type Found, isOverdue } from "./pending";
import { confirmed } from "./run";
import { connectionsIn, openStack, say } from "./stack";
import { GUARD_LOCK } from "./timer";
import { forget, undoEverywhere } from "./undo";

const stackOptions = { stack: STACK_OPTION, cwd: CWD_OPTION } as const satisfies Options;

/** Milliseconds between two looks of a guard. */
const PAUSE = 1000;

function one(positionals: readonly string[]): string {
  const [id, ...more] = positionals;
  if (id === undefined || more.length > 0) throw new CommandError("OVN_USAGE", "expected one ID, as pulumi-ovn pending prints it");
  return id;
}

function withId({ found, lost }: Awaited<ReturnType<typeof findApplies>>, id: string): readonly Found[] {
  const own = found.filter(({ record }) => record.id === id);
  if (own.length > 0) return own;
  const unreached = lost.length === 0 ? "" : `; not reached: ${lost.join("; ")}`;
  throw new CommandError("OVN_APPLY_UNKNOWN", `no database of this stack has a pending apply ${JSON.stringify(id)}: it was confirmed, or undone${unreached}`);
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
      const undone = own.filter(({ record }) => record.phase === "undone");
      if (undone.length > 0 || lost.length > 0)
        throw new CommandError(
          "OVN_APPLY_UNKNOWN",
          `apply ${id} can't be confirmed: ${[...undone.map(({ database }) => `undone in ${database.title}`), ...lost.map((each) => `not reached: ${each}`)].join("; ")}`,
        );
      await confirmed(
        own.map(({ database }) => database),
        new KeptState(folder, id),
        say,
      );
      return 0;
    } finally {
      await targets.close();
    }
  },
};

const cancelOptions = {
  forget: { help: "do not put the state back: it is right already, after pulumi refresh" },
  stack: SELECTED_STACK_OPTION,
  cwd: CWD_OPTION,
} as const satisfies Options;

export const cancelCommand: Command = {
  summary: "undo what pulumi-ovn apply --revert-in has changed, now",
  forms: ["ID [OPTIONS]"],
  about: `Undoes a pending apply in all databases of the stack and puts the state back. Completes an apply
that was undone while its command was dead.`,
  options: cancelOptions,
  notes: `${NO_JSON}\n\n${EXIT}`,
  run: async (args) => {
    const { values, positionals } = parsed(args, cancelOptions, true);
    const id = one(positionals);
    const { targets, engine, folder } = await openStack(values.stack, values.cwd);
    try {
      const databases = withId(await findApplies(targets), id).map(({ database }) => database);
      const kept = new KeptState(folder, id);
      if (values.forget) {
        for (const { client, name } of databases) await undoApply(client, name, id);
        await forget(databases, kept);
        return 0;
      }
      const lost = await undoEverywhere(databases, kept, engine, 0, say);
      if (lost.length > 0) throw new CommandError("OVN_APPLY_UNKNOWN", `apply ${id} is not undone everywhere: ${lost.join("; ")}`);
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
  about: `Lists pending applies, and undone ones whose state is not put back, in the databases of the
stack's targets.`,
  options: pendingOptions,
  notes: EXIT,
  run: async (args) => {
    const { json, stack, cwd } = options(args, pendingOptions);
    const { targets } = targetsOfChoice(stack, cwd);
    try {
      const { found, lost } = await findApplies(targets);
      const applies = found.map(({ database: { zone, name }, record: { undo, ...record } }) => ({ zone, database: name, ...record, rows: undo.length }));
      if (json) say(JSON.stringify({ version: 1, applies, lost }, null, 2));
      else {
        for (const { id, phase, zone, database, rows, stack: of, by, deadline, timer, kept } of applies) {
          say(`${id} ${phase}: ${database} of zone "${zone}", ${rows} rows, stack ${of}, by ${by}, deadline ${deadline}; the undo waits in ${timer}`);
          for (const row of kept) say(`  ! ${row} was changed by another writer, and stays`);
        }
        if (applies.length === 0) say("no apply is pending");
      }
      for (const each of lost) process.stderr.write(`pulumi-ovn pending: not reached: ${each}\n`);
      return lost.length > 0 ? 1 : 0;
    } finally {
      await targets.close();
    }
  },
};

export const guardCommand: Command = {
  summary: "undo applies at their deadlines, next to the databases",
  forms: ["[OPTIONS]"],
  about: `Watches the databases of the file of targets, and undoes each apply that is not confirmed at its
deadline. What it needs is in the databases: after its own death it goes on where it was. Runs until
SIGTERM. Run it where the databases are reached without the network that is changed.`,
  options: stackOptions,
  notes: `${NO_JSON}\n\n${EXIT}`,
  run: async (args) => {
    const { stack, cwd } = options(args, stackOptions);
    const { targets } = targetsOfChoice(stack, cwd);
    using _ = endAtSignal();
    const refs = configuredDatabases(targets);
    const locked = new Set<string>();
    say(`watching ${refs.map(({ zone, name }) => `${name} of zone "${zone}"`).join(", ")}`);
    for (;;) {
      for (const ref of refs) {
        const key = `${ref.zone} ${ref.name}`;
        if (locked.has(key)) continue;
        const database = await openDatabase(targets, ref).catch(() => undefined);
        if (!database) continue;
        await database.client.lock(GUARD_LOCK);
        locked.add(key);
      }
      const { found } = await findApplies(targets);
      for (const { database, record } of found.filter((each) => isOverdue(each.record))) {
        await undoApply(database.client, database.name, record.id).then(
          () => say(`${new Date().toISOString()} undone: apply ${record.id} in ${database.title}`),
          (error: Error) => say(`${new Date().toISOString()} can't undo apply ${record.id} in ${database.title}: ${error.message}`),
        );
      }
      await setTimeout(PAUSE);
    }
  },
};
