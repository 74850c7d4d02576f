import { agreementSubjects } from "@pulumi-ovn/provider";
import { Mismatch } from "./match";
import type { Veto } from "./recognize";

type Subjects = Readonly<Record<string, (args: never) => Readonly<Record<string, unknown>>>>;

/**
 * Vetoes resources that disagree with an earlier zone of the same import: the program would refuse to run. Their rows are imported one
 * by one.
 */
export function agreements(): Veto {
  const agreed = new Map<string, { readonly zone: unknown; readonly value: unknown }>();
  return ({ kind, args }) => {
    const entries = Object.entries((agreementSubjects as Subjects)[kind.name]?.(args as never) ?? {}).filter(([, value]) => value !== undefined);
    for (const [subject, value] of entries) {
      const first = agreed.get(subject);
      if (first && first.value !== value) throw new Mismatch(`${subject} is ${String(value)} here and ${String(first.value)} in zone "${String(first.zone)}"`);
    }
    for (const [subject, value] of entries) if (!agreed.has(subject)) agreed.set(subject, { zone: args.zone, value });
  };
}
