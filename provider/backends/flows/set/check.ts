import { ArgumentError, type Failure } from "../../../kit/arguments/errors";
import { quote } from "../../../kit/address/text";
import { memo } from "../../../kit/memo/memo";
import { propertyPath } from "../../../kit/arguments/validate";
import type { BridgeFlowList, FlowSet } from "../set";
import { flowIndexes, type FlowText, isOneLine, matchNames, parsedFlows, parseRule, sameRule, unfitFlows } from "./text";
import { flowPosition } from "./match-bits";
import { namesProtocol } from "./match-fields";
import { matchTwins } from "./match-twins";

/** Parts that a desired flow may not have, with the reason. */
const REFUSED: Readonly<Record<string, string>> = {
  cookie: "the cookie derives from the resource",
  cookie_mask: "the cookie derives from the resource",
  idle_timeout: "a flow that expires would be drift",
  hard_timeout: "a flow that expires would be drift",
  importance: "a flow that the switch may evict would be drift",
  send_flow_rem: "no program receives them",
  check_overlap: "flows of others are never overwritten",
  reset_counts: "counters are not part of the desired state",
  no_packet_counts: "counters are not part of the desired state",
  no_byte_counts: "counters are not part of the desired state",
  out_port: "it selects flows, and is not a property of a flow",
  out_group: "it selects flows, and is not a property of a flow",
  duration: "it is what a dump shows",
  n_packets: "it is what a dump shows",
  n_bytes: "it is what a dump shows",
  idle_age: "it is what a dump shows",
  hard_age: "it is what a dump shows",
  allow_hidden_fields: "no switch keeps it",
};

/** Finds these names in a rule fast, and sometimes in a port's name. */
const MAYBE_REFUSED = new RegExp(`[ ,](?:${Object.keys(REFUSED).join("|")})(?:[=(,]|$)`);

/** Argument path of a flow. */
export type FlowPath = (bridge: number, flow?: number) => string;

const plainPath: FlowPath = (bridge, flow) => propertyPath(flow === undefined ? ["bridges", bridge] : ["bridges", bridge, "flows", flow]);

/**
 * Checks the flows of a kind. Throws an ArgumentError with all failures: texts that are not one flow, two flows with one match.
 *
 * @param path argument path of a flow, for errors
 */
export function flowSet(bridges: readonly BridgeFlowList[], path: FlowPath = plainPath): FlowSet {
  const failures = bridges.flatMap((list, index) => [
    ...(bridges.findIndex(({ bridge }) => bridge === list.bridge) < index
      ? [{ path: path(index), code: "duplicate", message: `bridge "${list.bridge}" is listed twice` }]
      : []),
    ...flowFailures(list, (flow) => path(index, flow)),
  ]);
  if (failures.length > 0) throw new ArgumentError(failures);
  return { bridges };
}

/**
 * Refuses flows that no new set should have: a field that a desired flow can't have, one that is there twice, what ovs-ofctl
 * reads by the order of fields, and two flows in different words that are one flow in the switch. A state may hold them, and is
 * read and removed all the same, so this is not for kinds to render by. Throws an ArgumentError.
 */
export function judgeFlows(bridges: readonly BridgeFlowList[]): void {
  const failures: Failure[] = [];
  for (const [bridge, list] of bridges.entries()) {
    const flows = parsedFlows(list);
    const first = new Map<string, number>();
    for (const [index, flow] of flows.entries()) {
      const verdict = flow && verdictOf(flow);
      const position = flow ? positionOf(flow.rule) : "";
      const earlier = first.get(position);
      if (verdict) failures.push({ path: plainPath(bridge, index), ...verdict });
      else if (earlier === undefined) first.set(position, index);
      else if (!sameRule(flows[earlier], flows[index]))
        failures.push(sameFlowFailure(plainPath(bridge, index), plainPath(bridge, earlier), list.flows[earlier]!));
    }
  }
  if (failures.length > 0) throw new ArgumentError(failures);
}

/** Number of cached rules. Most changed flows have only other actions. */
const RULES = 20_000;

const positionOf = memo(RULES, (rule) => flowPosition(parseRule(rule)));

function sameFlowFailure(path: string, earlier: string, text: string): Failure {
  return { path, code: "duplicate", message: `${earlier} is the same flow in the switch, in other words (${quote(text)}): remove one of the two` };
}

function verdictOf(flow: FlowText): Omit<Failure, "path"> | undefined {
  const refused = MAYBE_REFUSED.test(flow.rule) ? matchNames(flow).find((name) => Object.hasOwn(REFUSED, name)) : undefined;
  if (refused !== undefined) return { code: "value", message: `a flow has no "${refused}" here: ${REFUSED[refused]}` };
  if (flow.repeated !== undefined) return { code: "duplicate", message: `"${flow.repeated}" is there twice` };
  const twins = matchTwins(flow);
  return twins && { code: "duplicate", message: twinsMessage(twins) };
}

function twinsMessage([one, other]: readonly [string, string]): string {
  if (one === other) return `"${one}" is in the match twice`;
  if (namesProtocol(one) && namesProtocol(other)) return `"${one}" and "${other}" both name the protocol: name the one that is meant, such as tcp6`;
  return `"${one}" and "${other}" match the same bits, and the switch would use only the last one: name one of them`;
}

function flowFailures(list: BridgeFlowList, path: (flow: number) => string): Failure[] {
  const parsed = parsedFlows(list);
  return unfitFlows(list).map((index) => {
    const flow = parsed[index];
    const failure = flow === undefined ? textFailure(list.flows[index]!) : twinFailure(path(flowIndexes(list).get(flow.rule)!));
    return { path: path(index), ...failure };
  });
}

/** @param first path of the first flow of the same position */
function twinFailure(first: string): Omit<Failure, "path"> {
  return { code: "duplicate", message: `${first} has the same table, priority and match` };
}

/** Failure of a text that is not a flow. */
function textFailure(text: string): Omit<Failure, "path"> {
  if (!isOneLine(text)) return { code: "flow", message: 'a flow is one line without "#"' };
  return { code: "flow", message: `"${text}" has no actions: a flow is "FIELDS,actions=ACTIONS" (ovs-ofctl(8)); one that drops has "actions=drop"` };
}
