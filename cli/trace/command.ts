import { rowsOf, runOnHost, select, visible } from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { type Command, CommandError } from "../command";
import { endAtSignal } from "../end-at-signal";
import { connectionsOf } from "../stack/live-stack";
import { print, printJson } from "../output";
import { readStackState } from "../stack/stack-state";
import { vpcsIn } from "../vpc/model";
import { known, readOptions } from "./options";
import { questionOf } from "./question";
import { type Question, type Route, routeOf, type RunTrace } from "./route";
import { routeJson, routeText } from "./print";
import { sentenceOf } from "./sentence";

async function run(args: readonly string[]): Promise<number> {
  const options = readOptions(args);
  using _ = endAtSignal();
  const state = await readStackState(options);
  const question = questionOf(vpcsIn(state), options);
  const targets = connectionsOf(state, options);
  try {
    const port = await portOf(question, targets);
    const route = await routeOf({ ...question, port }, tracing(targets));
    const sentence = sentenceOf(route, question.from, question.packet);
    if (options.json) printJson(routeJson(route, sentence));
    else print(routeText(route, sentence));
    return arrives(route) ? 0 : 1;
  } finally {
    await targets.close();
  }
}

const arrives = ({ outcome }: Route): boolean => outcome.kind === "delivered" || outcome.kind === "outside";

/** As declared, or as a hypervisor marks the interface of a MAC (Open vSwitch, "Integration Guide for Centralized Control"). */
async function portOf({ vpc, from }: Omit<Question, "port">, targets: Connections): Promise<string> {
  const { port, host, mac } = vpc.topology.workloads[from]!;
  if (port !== undefined) return port;
  targets.host(host);
  const client = await targets.get(host, "Open_vSwitch");
  const [found] = await client.transact([select("Interface", [["external_ids", "includes", ["map", [["attached-mac", mac]]]]], ["name"])]);
  const name = rowsOf(found)[0]?.["name"];
  if (typeof name === "string") return name;
  throw new CommandError(
    "OVN_TRACE",
    `by which interface does "${from}" send? It has no "port" in the stack, and no Interface of host "${host}" has external_ids:attached-mac=${mac}`,
  );
}

function tracing(targets: Connections): RunTrace {
  return async (host, bridge, flow) => {
    const [result] = await runOnHost({ host: targets.host(host) }, [
      { argv: ["ovs-appctl", "--timeout=30", "ofproto/trace", "--names", bridge, flow], bridge },
    ]);
    if (result!.status !== 0)
      throw new CommandError("OVN_TRACE", `host "${host}" can't trace on bridge ${bridge}: ${visible(result!.stderr.trim().split("\n")[0] ?? "")}`);
    return result!.stdout;
  };
}

export const traceCommand: Command = {
  summary: "show the path of a packet in a VPC, and which ACL decides",
  forms: ["--from WORKLOAD --to ADDRESS [OPTIONS]"],
  about: `Shows which way the first packet of a connection would go, and by which flows: each host's switch
is asked (ovs-appctl ofproto/trace), from the workload's port on, over tunnels, through the logical
router. No packet is sent, and nothing is changed. The path of the reply is another trace. ACLs and
routes of the virtual router are unknown here.`,
  options: known,
  notes: `Exit code: 0 the packet gets there, or leaves the VPC by its virtual router; 1 it does not, or that
is unknown; 2 usage error; 129, 130, 143: ended by SIGHUP, SIGINT, SIGTERM.`,
  run,
};
