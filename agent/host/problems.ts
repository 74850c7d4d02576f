import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";

/** Something of others is where the agent would write; it is left as it is. */
export function taken(subject: string, by: string): Problem {
  return {
    code: "OVN_AGENT_TAKEN",
    subject,
    message: `${subject} is not written: ${printable(by)} is there, and not the agent's; remove it, or what asks for ${subject}`,
  };
}

/** A program's last words on one line. */
export function lastWords(text: string): string {
  return printable(text.trim().split("\n").filter(Boolean).at(-1)?.trim() ?? "");
}
