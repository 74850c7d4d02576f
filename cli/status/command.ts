import { VPC_AGENT_ADDRESS } from "@pulumi-ovn/agent";
import { AGENT_ADDRESS, agentAddress } from "../agent/address";
import { type Command, CommandError, JSON_OPTION, options, type Options } from "../command";
import { codeOf, endAtSignal } from "../end-at-signal";
import { connectionsOf, liveOptions, liveOptionsOf, type LiveOptions, seconds } from "../live-stack";
import { readStackState, type StackState } from "../stack-state";
import { follow, type Look } from "./follow";
import type { Look as HowToLook, Seen } from "./section";
import { sections } from "./sections";
import { problemsOf, statusJson, statusText } from "./text";

const known = {
  ...liveOptions,
  all: { help: "also what works, where there is much of it" },
  json: JSON_OPTION,
  watch: { help: "look again and again, and print what has changed; ends with Ctrl-C" },
  interval: { value: "N", help: "seconds between two looks of --watch", default: "5" },
  agent: { value: "ADDRESS:PORT", help: "where BGP agents answer on their hosts (their --listen)", default: AGENT_ADDRESS },
  "vpc-agent": { value: "ADDRESS:PORT", help: "where agents of VPCs answer on their hosts", default: VPC_AGENT_ADDRESS },
} as const satisfies Options;

const LONGEST_INTERVAL = 3600;
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

async function run(args: readonly string[]): Promise<number> {
  const { all, json, watch, interval, agent: address, "vpc-agent": vpcAddress, ...live } = options(args, known);
  const source = liveOptionsOf(live);
  if (watch && source.file === "-") throw new CommandError("OVN_USAGE", "--watch reads the state at each look, and standard input is there once: name a file");
  const pause = seconds("interval", interval, LONGEST_INTERVAL);
  const how = { agent: agentAddress("agent", address), vpcAgent: agentAddress("vpc-agent", vpcAddress) };
  const colours = !json && process.stdout.isTTY && process.stdout.hasColors();
  const once = () =>
    look(source, how, (stack, seen) =>
      json ? `${JSON.stringify(statusJson(stack, seen), null, watch ? undefined : 2)}\n` : statusText(seen, { all }, colours),
    );
  const write = (text: string) => void process.stdout.write(text);
  if (watch) return exitCode(await watched(once, pause * 1000, json ? () => "" : head, write));
  using _ = endAtSignal();
  const seen = await once();
  write(seen.text);
  return exitCode(seen);
}

const exitCode = ({ problems }: Look): number => (problems === 0 ? 0 : 1);

/** On a terminal a status takes the place of the one before it; elsewhere it comes after it, with its time. */
const head = (): string => (process.stdout.isTTY ? "\u001b[2J\u001b[H" : `--- ${new Date().toISOString()}\n`);

/** Until a signal asks for the end. */
async function watched(once: () => Promise<Look>, pause: number, before: () => string, write: (text: string) => void): Promise<Look> {
  const ending = new AbortController();
  let looking = false;
  // A host that does not answer would keep a look for half a minute.
  const end = (signal: (typeof SIGNALS)[number]) => (looking ? process.exit(codeOf(signal)) : ending.abort());
  const lookOnce = async () => {
    looking = true;
    try {
      return await once();
    } finally {
      looking = false;
    }
  };
  // Nobody reads any more.
  const gone = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  process.stdout.on("error", gone);
  try {
    return await follow(lookOnce, {
      pause,
      signal: ending.signal,
      head: before,
      write,
      failed: ({ message }) => void process.stderr.write(`pulumi-ovn status: ${message}\n`),
    });
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    process.stdout.off("error", gone);
  }
}

async function look(source: LiveOptions, how: HowToLook, print: (stack: StackState, seen: readonly Seen[]) => string): Promise<Look> {
  const state = await readStackState(source);
  const targets = connectionsOf(state, source);
  try {
    const seen = (await Promise.all(sections.map((section) => section(state, targets, how)))).filter((each) => each !== undefined);
    const nothing = `status shows VPCs and BGP exposures, and ${state.stack === undefined ? "this state" : `stack ${state.stack}`} has neither; "pulumi preview --refresh" compares what it has with the databases\n`;
    return { problems: problemsOf(seen), text: print(state, seen) || nothing };
  } finally {
    await targets.close();
  }
}

export const statusCommand: Command = {
  summary: "show how VPCs and BGP exposures are doing, on their hosts",
  forms: ["[OPTIONS]"],
  about: `Shows how what a stack has made is doing: reads the stack's state, and then the hosts, live. Of a
VPC: its hosts, the bridges of its tiers, the tunnels of each pair of hosts, each host's logical
router: enabled, disabled, fallback and why, and the packets that port security and ACLs have
dropped. Of a BGP exposure: what each chassis should announce, against its routing table and FRR,
and what its agent reports. Lines that begin with "!" are in error. Nothing is changed.`,
  options: known,
  notes: `Exit code: 0 nothing is in error; 1 something is, or a host was not reached, or the state can't be
read; 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM.
With --watch a signal between two looks, and the end of whoever reads its output, end it with the
code of the last look.`,
  run,
};
