import { probeFindings } from "../../upgrade/probe";
import type { Check } from "./check";

/** Remedy of a command that was still running when its time was over. */
const LATE = "no more time was left before the deadline; make the command end sooner, or raise --revert-in";

/** The user's shell command. Its environment has OVN_APPLY_ID and OVN_APPLY_STACK. */
export function commandCheck(command: string, id: string, stack: string): Check {
  const title = `probe ${JSON.stringify(command)}`;
  return {
    title,
    complaints: async (milliseconds, signal) => {
      const seconds = Math.max(1, Math.floor(milliseconds / 1000));
      const findings = await probeFindings(command, seconds, { OVN_APPLY_ID: id, OVN_APPLY_STACK: stack }, signal);
      return findings.map(({ problem, isLate }) => ({ subject: title, problem: isLate ? `${problem}: ${LATE}` : problem }));
    },
  };
}
