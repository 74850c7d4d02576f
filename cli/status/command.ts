import { AGENT_ADDRESS, VPC_AGENT_ADDRESS } from "@pulumi-ovn/agent";
import { agentAddress } from "../agent/address";
import { type Command, CommandError, JSON_OPTION, options, type Options } from "../command";
import { visible } from "@pulumi-ovn/provider/tools";
import { endAtSignal } from "../end-at-signal";
import { type Look, watch } from "../follow";
import { during } from "../progress";
import { print } from "../output";
import { connectionsOf, liveOptions, liveOptionsOf, type LiveOptions, pauseOf, watchOptions } from "../stack/live-stack";
import { readStackState, type StackState } from "../stack/stack-state";
import type { Look as HowToLook, Seen } from "./section";
import { sections } from "./sections";
import { statusPage } from "./page";
import { problemsOf, statusJson, statusText } from "./text";

/** Seconds between two looks. */
const INTERVAL = 5;

const known = {
  ...liveOptions,
  all: { help: "also show what works" },
  json: JSON_OPTION,
  html: { help: "a page that opens offline: the picture of the stack with live states" },
  ...watchOptions(INTERVAL),
  agent: { value: "ADDRESS:PORT", help: "--listen of BGP agents", default: AGENT_ADDRESS },
  "vpc-agent": { value: "ADDRESS:PORT", help: "--listen of VPC agents", default: VPC_AGENT_ADDRESS },
} as const satisfies Options;

async function run(args: readonly string[]): Promise<number> {
  const { all, json, html, watch: watching, interval, agent: address, "vpc-agent": vpcAddress, ...live } = options(args, known);
  if (html && (json || watching)) throw new CommandError("OVN_USAGE", `--html or --${json ? "json" : "watch"}, not both`);
  const source = liveOptionsOf(live);
  const pause = pauseOf(watching, interval, INTERVAL, source);
  const how = { agent: agentAddress("agent", address), vpcAgent: agentAddress("vpc-agent", vpcAddress) };
  const colours = !json && process.stdout.isTTY && process.stdout.hasColors();
  const once = () =>
    look(source, how, (stack, seen) =>
      html
        ? statusPage(stack, seen)
        : json
          ? `${JSON.stringify(statusJson(stack, seen), null, watching ? undefined : 2)}\n`
          : statusText(seen, { all }, colours),
    );
  if (watching) return watch(once, { name: "status", pause, json });
  using _ = endAtSignal();
  const seen = await during("asking hosts", once);
  print(seen.text, json ? "json" : "visible");
  return seen.exitCode;
}

async function look(source: LiveOptions, how: HowToLook, print: (stack: StackState, seen: readonly Seen[]) => string): Promise<Look> {
  const state = await readStackState(source);
  const targets = connectionsOf(state, source);
  try {
    const seen = (await Promise.all(sections.map((section) => section(state, targets, how)))).filter((each) => each !== undefined);
    const nothing = `status shows VPCs, BGP exposures and intents, and ${state.stack === undefined ? "this state" : `stack ${visible(state.stack)}`} has none of them; "pulumi preview --refresh" compares what it has with the databases\n`;
    return { exitCode: problemsOf(seen) === 0 ? 0 : 1, text: print(state, seen) || nothing };
  } finally {
    await targets.close();
  }
}

export const statusCommand: Command = {
  summary: "show the live states of VPCs and BGP exposures",
  forms: ["[OPTIONS]"],
  about: `Reads the stack's state, then the hosts, live. For a VPC: its hosts, the bridges of its tiers, the
tunnels of each pair of hosts, each host's logical router (enabled, disabled, fallback and why), and
the packets that port security and ACLs have dropped. For a BGP exposure: what each chassis should
announce, compared with its routing table and FRR, and what its agent reports. It lists the
program's intents. Lines that begin with "!" are in error. Nothing is changed.`,
  options: known,
  notes: `Exit code: 0 nothing is in error; 1 something is, or a host was not reached, or the state can't be
read; 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM.
With --watch: the code of the last comparison.`,
  run,
};
