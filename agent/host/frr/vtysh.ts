import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";
import type { LiveFrr } from "../live";
import { type Place, ProgramError, reading, run } from "../program";
import type { FrrStep } from "../steps";
import { bgpIn, hasMark, importedIn, TABLE_DIRECT, versionIn } from "./config";
import { vrfsIn } from "./vrf";

/** Asks bgpd, and zebra where it has to import the table. */
export async function readFrr(unhurried: Place): Promise<LiveFrr> {
  const place = reading(unhurried);
  const asked = await vtysh(place, "bgpd", ["show version", "show running-config"]);
  const version = versionIn(asked.text);
  if (asked.failed || version === null) return down("bgpd", asked);
  const zebra = version >= TABLE_DIRECT ? undefined : await vtysh(place, "zebra", ["show running-config"]);
  if (zebra?.silent === true) return down("zebra", zebra);
  return { running: true, version, bgp: bgpIn(asked.text), mark: hasMark(asked.text), imported: importedIn(zebra?.text ?? ""), vrfs: vrfsIn(asked.text) };
}

const down = (daemon: FrrStep["daemon"], { silent, words }: Answer): LiveFrr => ({
  running: false,
  silent,
  problem: { code: "OVN_AGENT_FRR_DOWN", subject: "FRR", message: `FRR's ${daemon} does not answer: ${printable(words)}` },
});

interface Answer {
  readonly failed: boolean;
  /** Nobody has answered. */
  readonly silent: boolean;
  readonly text: string;
  readonly words: string;
}

/** Changes the running configuration alone: no file is written. */
export async function configure(place: Place, { daemon, lines }: FrrStep): Promise<Problem | undefined> {
  const asked = await vtysh(place, daemon, ["configure terminal", ...lines]);
  if (!asked.failed) return undefined;
  return { code: "OVN_AGENT_FRR_REFUSED", subject: "FRR", message: `${daemon} refuses "${lines.at(-1)}": ${printable(asked.words)}` };
}

async function vtysh(place: Place, daemon: FrrStep["daemon"], lines: readonly string[]): Promise<Answer> {
  // vtysh takes each line of an argument for a command.
  const broken = lines.find((line) => /[\r\n\0]/.test(line));
  if (broken !== undefined) return { failed: true, silent: false, text: "", words: `"${printable(broken)}" is more than one line` };
  try {
    const { status, stdout, stderr } = await run(place, [place.vtysh ?? "vtysh", "-d", daemon, ...lines.flatMap((line) => ["-c", line])]);
    const words = `${stdout}\n${stderr}`
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .join("; ");
    return { failed: status !== 0, silent: false, text: stdout, words: words || `vtysh ended with ${status}` };
  } catch (error) {
    // Where there is no vtysh at all, there is no FRR; one that somebody has named should be there.
    if (error instanceof ProgramError) return { failed: true, silent: error.started || place.vtysh !== undefined, text: "", words: error.message };
    throw error;
  }
}
