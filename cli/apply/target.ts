import type { ApplyFacts, Phase } from "@pulumi-ovn/provider/targets";
import type { Timer } from "./timer";

/** Record of an apply in one target. */
export interface PendingApply extends ApplyFacts {
  readonly id: string;
  readonly phase: Phase;
  /** Number of rows that the undo reverts. */
  readonly rows: number;
  /** Number of sets of flows, and files of a host, that the undo reverts. */
  readonly parts: number;
  /** Number of objects that the undo reverts. */
  readonly objects: number;
  /** Labels of changes of other writers, which the undo leaves. */
  readonly kept: readonly string[];
}

/** A database, a host or a cluster that an apply changes. Its methods also work while an apply is pending. */
export interface ApplyTarget {
  /** For people. */
  readonly title: string;
  /** Kind and name of the target, and its database, for JSON. */
  readonly names: Readonly<Record<string, string>>;
  /** The apply that is pending, or that was undone. */
  read(): Promise<PendingApply | undefined>;
  layDown(id: string, facts: ApplyFacts): Promise<void>;
  /** Keeps the changes. Throws if the apply is not pending any more. */
  confirm(id: string): Promise<void>;
  /** Does nothing if the apply is not pending any more. */
  undo(id: string): Promise<void>;
  /** Removes the record of an undone apply, when the state is put back. */
  forget(id: string): Promise<void>;
  /**
   * Starts a process on the target's host if that is possible. Returns the best timer. Throws if the process fails to start and no guard runs.
   * @param seconds until the undo
   */
  startTimer(id: string, seconds: number): Promise<Timer>;
  /** Announces to applies that a guard watches this target. To be repeated. */
  guard(): Promise<void>;
  /** Removes the announcement, which otherwise lasts for a while or until the process ends. */
  endGuard(): Promise<void>;
}
