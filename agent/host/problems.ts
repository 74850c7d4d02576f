import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";

/** A conflicting object of another writer, which stays unchanged. */
export function conflict(subject: string, by: string): Problem {
  return {
    code: "OVN_AGENT_TAKEN",
    subject,
    message: `${subject} is not written: ${printable(by)} exists and is not the agent's; remove it, or the row that requires ${subject}`,
  };
}

/** Last line of a program's output. */
export function lastLine(text: string): string {
  return printable(text.trim().split("\n").filter(Boolean).at(-1)?.trim() ?? "");
}
