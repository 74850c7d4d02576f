import type { Problem } from "@pulumi-ovn/provider/agent";

/** Errors of this package have a stable code; others come from the system. */
export function problemOf(subject: string, error: unknown): Problem {
  const { code = "", message } = error as Error & { code?: string };
  return /^OVN_/.test(code) ? { code, subject, message } : { code: "OVN_AGENT_FAILED", subject, message };
}
