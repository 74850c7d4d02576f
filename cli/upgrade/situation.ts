import { kindOfType } from "@pulumi-ovn/provider";
import { CommandError } from "../command";
import { listed } from "../texts";
import { orderNodes, parseBatch } from "./batch";
import type { ConfigFile } from "./config-file";
import type { Finding } from "./gates/finding";
import { chooseNetwork, movedNodes, type Network, networkIn, networksOf } from "./network";
import { nameOf, type StackResource } from "../stack/resource";
import type { UpgradeOptions } from "./options";
import type { Preview } from "../stack/preview";
import type { Settings } from "./settings";
import { differsBeyondStages } from "./stage-arguments";
import { awaitedNodes, planStages, type Stage, stepOf } from "./stages";

/** Progress of a rollout, read from the stack and its configuration each time. */
export interface Situation {
  /** As the program and the configuration have it. */
  readonly network: Network;
  readonly stages: readonly Stage[];
  /** The first of them, which this run takes. */
  readonly planned: readonly Stage[];
  /** Whether other stacks have nodes of the network, and so its other zones. */
  readonly isShared: boolean;
  /** Nodes of other stacks that the stages after these need; see `awaitedNodes`. */
  readonly awaited: readonly string[];
  /** The stage of the configuration is not, or not wholly, in the stack: an interrupted rollout, or one that is made by hand. */
  readonly unfinished: boolean;
  /** Nodes that the unfinished stage moves. */
  readonly moves: readonly string[];
  /** Changes that are not the upgrade's. */
  readonly foreign: readonly Finding[];
}

/** Pure: everything is in what it is given. Throws for options that do not fit the network. */
export function situationOf(preview: Preview, file: Pick<ConfigFile, "has">, options: UpgradeOptions): Situation {
  const name = chooseNetwork(preview.after, options.network);
  if (!networksOf(preview.before).includes(name)) throw new CommandError("OVN_UPGRADE_NETWORK", `network ${name} is not there yet: run "pulumi up" first`);
  const network = networkIn(preview.after, name);
  const names = network.nodes.map((node) => node.name);
  const batch = parseBatch(options.batch, names.length);
  const order = orderNodes(names, options.nodes);
  const keep = options.remains === undefined ? network.ipv6 : options.remains === "keep";
  const stages = planStages(network.settings, { back: options.back, keep, order, batch });
  const own = ownChanges(preview, network).map(({ urn }) => urn);
  const steady = steadyChanges(preview, network);
  const unfinished = file.has(name) && own.some((urn) => !steady.includes(urn));
  const others = preview.changing.filter((urn) => !(unfinished && own.includes(urn)) && !DERIVED.test(urn));
  const foreign = !unfinished ? others : ofTopology(own) ? steady : [...others, ...steady];
  const awaited = awaitedNodes(network.settings, { back: options.back, order });
  const isShared = Object.keys(network.settings.nodes).some((node) => !names.includes(node));
  const planned = stages.slice(0, options.stages ?? (isShared ? stepOf(stages) : stages.length));
  return {
    network,
    stages,
    planned,
    isShared,
    awaited,
    unfinished,
    moves: unfinished ? pendingMoves(preview.before, network) : [],
    foreign: pendingFindings(foreign),
  };
}

/** Changes of the program that came while a rollout was in progress: of the network's resources, and not a stage's. */
export function strayChanges(preview: Preview, network: Network): Finding[] {
  return pendingFindings(steadyChanges(preview, network));
}

const STEADY: ReadonlySet<string> = new Set(["Layer2Switch", "WorkloadPorts", "RemoteChassis"]);
const STAGED: ReadonlySet<string> = new Set(["GatewayRouter", "Layer2Gateway"]);

interface Change {
  readonly urn: string;
  readonly old: StackResource | undefined;
  readonly wanted: StackResource | undefined;
}

/** Changes of the network's own resources. */
function ownChanges({ before, after, changing }: Preview, { urn: parent }: Network): Change[] {
  const [olds, news] = [byUrn(before), byUrn(after)];
  return changing.map((urn) => ({ urn, old: olds.get(urn), wanted: news.get(urn) })).filter(({ old, wanted }) => (wanted ?? old)?.parent === parent);
}

/** No stage makes them: of resources that no stage changes, or of what no stage changes in a resource. */
function steadyChanges(preview: Preview, network: Network): string[] {
  const steady = ownChanges(preview, network).filter(({ urn, old, wanted }) => {
    const kind = kindOfType(urn.split("::")[2]!);
    return STEADY.has(kind) || (STAGED.has(kind) && (!old || !wanted || differsBeyondStages(old, wanted)));
  });
  return steady.map(({ urn }) => urn);
}

function byUrn(resources: readonly StackResource[]): Map<string, StackResource> {
  return new Map(resources.map((resource) => [resource.urn, resource]));
}

/** The stack itself, its providers, lists and the waits for zones tell of no work of their own. */
const DERIVED = /::pulumi:(pulumi:Stack|providers:[^:]+)::|:dynamic\/ovn:(NetworkMembers|Propagation)::/;

/** Changes of others that come with a stage, such as routes over the transit router, are part of it. */
function ofTopology(urns: readonly string[]): boolean {
  return urns.some((urn) => urn.includes("dynamic/ovn:Layer2Gateway::"));
}

function pendingFindings(urns: readonly string[]): Finding[] {
  if (urns.length === 0) return [];
  return [
    {
      gate: "pending",
      where: "the stack",
      problem: `the program wants changes that have nothing to do with the upgrade: ${listed(urns.map(nameOf).sort())}`,
      remedy: 'run "pulumi up" first: a stage must be nothing but a stage',
    },
  ];
}

function pendingMoves(before: readonly StackResource[], network: Network): string[] {
  // Each zone by itself: an interrupted update has written some of them.
  const gateways = before.filter(({ parent, type }) => parent === network.urn && type.endsWith(":Layer2Gateway"));
  return gateways.flatMap(({ inputs }) => {
    const { node, nodes } = inputs as { readonly node: string; readonly nodes?: Readonly<Record<string, { readonly topology?: "gateway" | "transit" }>> };
    const old: Settings["nodes"] = { [node]: nodes?.[node]?.topology ?? "transit" };
    // After two interrupted updates the state contains the last and the previous list.
    return nodes === undefined || network.settings.nodes[node] === undefined ? [] : movedNodes(old, { [node]: network.settings.nodes[node] });
  });
}
