import { printable } from "@pulumi-ovn/ovsdb-client";
import type { Problem } from "@pulumi-ovn/provider/agent";
import type { LiveFrr } from "../live";
import { type ProgramEnvironment, ProgramError, reading, run } from "../program";
import type { FrrStep } from "../steps";
import { bgpIn, FAMILIES, hasMark, hasTag, importedIn, TABLE_DIRECT, versionIn } from "./config";
import { originsIn } from "./origins";
import { askDaemon, NoAnswer } from "./socket";
import { vrfsIn } from "./vrf";

/** Reads the running configuration of bgpd and zebra. */
export async function readFrr(slow: ProgramEnvironment): Promise<LiveFrr> {
  const environment = reading(slow);
  const [answer, zebra] = await Promise.all([
    ask(environment, "bgpd", ["show version", "show running-config"]),
    ask(environment, "zebra", ["show running-config"]),
  ]);
  const version = versionIn(answer.text);
  if (answer.failed || version === null) return { running: false, silent: answer.silent, problem: down("bgpd", answer) };
  if (version < TABLE_DIRECT && zebra.silent) return { running: false, silent: true, problem: down("zebra", zebra) };
  return {
    running: true,
    version,
    bgp: bgpIn(answer.text),
    mark: hasMark(answer.text),
    ...(hasMark(answer.text) && !hasTag(answer.text) && { untagged: true }),
    imported: importedIn(zebra.text),
    ...(zebra.failed && { zebra: down("zebra", zebra) }),
    vrfs: vrfsIn(answer.text),
  };
}

/** Reads the prefixes that bgpd originates from its announced tables. */
export async function readOrigins(slow: ProgramEnvironment, frr: LiveFrr): Promise<LiveFrr> {
  if (!frr.running || frr.bgp === null || frr.version < TABLE_DIRECT) return frr;
  const { bgp } = frr;
  const environment = reading(slow);
  const families = FAMILIES.filter((family) => bgp.redistributed[family].length > 0);
  const found = await Promise.all(
    families.map(async (family) => {
      const { text, failed } = await ask(environment, "bgpd", [`show bgp ipv${family} unicast self-originate json detail`]);
      const origins = failed ? undefined : originsIn(text, bgp, family);
      return origins ? [[family, origins] as const] : [];
    }),
  );
  return { ...frr, origins: Object.fromEntries(found.flat()) };
}

const CONSEQUENCE = { bgpd: "", zebra: "; changes of the kernel's routes do not reach bgpd, which keeps its announcements" } as const;

const down = (daemon: FrrStep["daemon"], { words }: Answer): Problem => ({
  code: "OVN_AGENT_FRR_DOWN",
  subject: "FRR",
  message: `FRR's ${daemon} does not answer: ${printable(words)}${CONSEQUENCE[daemon]}`,
});

interface Answer {
  readonly failed: boolean;
  /** Whether no daemon answered. */
  readonly silent: boolean;
  readonly text: string;
  readonly words: string;
}

/** Changes only the running configuration: no file is written. */
export async function configure(environment: ProgramEnvironment, { daemon, lines }: FrrStep): Promise<Problem | undefined> {
  const answer = await vtysh(environment, daemon, ["configure terminal", ...lines]);
  if (!answer.failed) return undefined;
  return { code: "OVN_AGENT_FRR_REFUSED", subject: "FRR", message: `${daemon} refuses "${lines.at(-1)}": ${printable(answer.words)}` };
}

/** Asks a daemon by its socket; by vtysh if the socket is unknown or no daemon is there, for then vtysh names the reason. */
async function ask(environment: ProgramEnvironment, daemon: FrrStep["daemon"], lines: readonly string[]): Promise<Answer> {
  const { sockets, timeout, signal } = environment;
  if (sockets === undefined) return vtysh(environment, daemon, lines);
  try {
    const answer = await askDaemon(`${sockets}/${daemon}.vty`, lines, timeout * 1000, signal);
    if (answer === undefined) return await vtysh(environment, daemon, lines);
    const { status, text } = answer;
    return { failed: status !== 0, silent: false, text, words: text.trim().replaceAll(/\s*\n\s*/g, "; ") || `${daemon} answered with ${status}` };
  } catch (error) {
    if (error instanceof NoAnswer) return { failed: true, silent: true, text: "", words: error.message };
    throw error;
  }
}

async function vtysh(environment: ProgramEnvironment, daemon: FrrStep["daemon"], lines: readonly string[]): Promise<Answer> {
  // vtysh takes each line of an argument for a command.
  const broken = lines.find((line) => /[\r\n\0]/.test(line));
  if (broken !== undefined) return { failed: true, silent: false, text: "", words: `"${printable(broken)}" is more than one line` };
  try {
    const { status, stdout, stderr } = await run(environment, [environment.vtysh ?? "vtysh", "-d", daemon, ...lines.flatMap((line) => ["-c", line])]);
    const words = `${stdout}\n${stderr}`
      .split("\n")
      .map((line) => line.trim())
      .filter(Boolean)
      .join("; ");
    return { failed: status !== 0, silent: false, text: stdout, words: words || `vtysh ended with ${status}` };
  } catch (error) {
    // A host without vtysh has no FRR. A vtysh path that the caller has given must exist.
    if (error instanceof ProgramError) return { failed: true, silent: error.started || environment.vtysh !== undefined, text: "", words: error.message };
    throw error;
  }
}
