import { memo } from "../../../kit/memo/memo";
import type { BridgeFlowList } from "../set";
import { PROTOCOL } from "../set/match-fields";
import { orderedMatch, parsedFlows, type FlowText } from "../set/text";

const NUMBER = String.raw`(?:0|[1-9]\d*)`;
const HEX = String.raw`0x[1-9a-f][0-9a-f]*`;
const MAC = "[0-9a-f]{2}(?::[0-9a-f]{2}){5}";
/**
 * With a digit: no reserved port has one, and of the fields that an output may name without brackets only registers. Switches quote names with
 * other characters.
 */
const PORT = String.raw`(?!x{0,2}reg\d+\b)[A-Za-z]+\d[A-Za-z\d]*`;
const FIELD = String.raw`(?:${PROTOCOL}|in_port=${PORT}|dl_(?:src|dst)=${MAC}|nw_(?:src|dst)=\d+(?:\.\d+){3}(?:/\d+)?|ipv6_(?:src|dst)=[0-9a-f:]+(?:/\d+)?|tp_(?:src|dst)=(?:${NUMBER}|${HEX}/${HEX})|reg\d+=(?:0|${HEX}(?:/${HEX})?)|nw_ttl=${NUMBER}|nw_frag=(?:first|later|not_later)|ct_state=[+a-z]+)`;
const RULE = new RegExp(String.raw`^table= *${NUMBER} priority= *${NUMBER}(?: ${FIELD}(?:,${FIELD})*)?$`);

/** A list of actions that come back from a switch as they went, with `port` for what names one. */
export function actionsWith(port: string): RegExp {
  const action = String.raw`(?:drop|NORMAL|dec_ttl|goto_table:${NUMBER}|resubmit\(,${NUMBER}\)|output:${port}|set_field:${MAC}->eth_(?:src|dst)|load:(?:0|${HEX})->NXM_NX_REG\d+\[\])`;
  return new RegExp(`^${action}(?:,${action})*$`);
}

const ACTIONS = actionsWith(PORT);

/** Whether table, priority and match are in words that a switch uses itself. */
const isUsual = (rule: string): boolean => RULE.test(rule);

/** Whether actions are in words that a switch uses itself. */
export const areUsual = (actions: string): boolean => ACTIONS.test(actions);

/** A flow in the words of a switch. */
export interface FlowWords {
  /** As `FlowText` has it. */
  readonly rule: string;
  readonly actions: string;
}

/**
 * Pure. The flows of a list as a switch prints them, in their order, where all of them are of a few usual forms; undefined for
 * other lists. Only spellings that mean the same in every release are put into other words, so a flow that a switch prints in
 * these words is the wanted one; one that it prints in others may be, and the host's ovs-ofctl has to be asked.
 */
export const switchWords = memo((list: BridgeFlowList): { readonly flows: readonly FlowWords[] | undefined } => {
  const all: readonly (FlowWords | undefined)[] = parsedFlows(list).map((flow) => usualWords(flow!));
  if (!isWhole(all)) return { flows: undefined };
  const flows = all;
  // Two spellings of one position are for ovs-ofctl to judge.
  const changed = flows.some(({ rule }, index) => rule !== parsedFlows(list)[index]!.rule);
  return { flows: changed && new Set(flows.map(({ rule }) => rule)).size < flows.length ? undefined : flows };
});

/** Undefined for a flow that is not of the usual forms. */
const usualWords = memo((flow: FlowText): FlowWords | undefined => {
  const words = { rule: ruleWords(flow), actions: actionWords(flow.actions) };
  return isUsual(words.rule) && areUsual(words.actions) ? words : undefined;
});

const isWhole = <Item>(items: readonly (Item | undefined)[]): items is readonly Item[] => !items.includes(undefined);

function ruleWords({ rule }: FlowText): string {
  return rule.includes(",reg") || rule.includes(" reg") ? rule.replace(/(?<=[ ,]reg\d+=)[1-9]\d*(?=,|$)/g, hex) : rule;
}

/** ovs-actions(7): `mod_dl_src` is the older name of setting that field, and numbers are written in any base. */
function actionWords(actions: string): string {
  const named = actions.includes("mod_dl_") ? actions.replace(/(?<=^|,)mod_dl_(src|dst):([^,]*)/g, "set_field:$2->eth_$1") : actions;
  return named.includes("load:") ? named.replace(/(?<=(?:^|,)load:)[1-9]\d*(?=->)/g, hex) : named;
}

const hex = (digits: string): string => `0x${BigInt(digits).toString(16)}`;

/** A flow of a switch, without timeouts and flags. */
export interface DumpedFlow extends FlowWords {
  readonly cookie: string;
  /** Table, priority and match, as they were printed. */
  readonly printed: string;
}

const LINE = /^ ?(?:cookie=(0x[0-9a-f]+), )?(?:table=(\d+), )?(?:priority=(\d+),?)?([^\s"]*) ?actions=(.*)$/;

/**
 * Parses `ovs-ofctl --no-stats --names dump-flows`; undefined if flows of the cookie have unusual forms. Such lines of other cookies are
 * ignored.
 */
export function dumpedFlows(stdout: string, cookie: string): DumpedFlow[] | undefined {
  const flows: DumpedFlow[] = [];
  for (const line of stdout.split("\n")) {
    const flow = dumpedFlow(line);
    if (flow !== undefined && isUsualOr(flow, cookie)) flows.push(flow);
    else if (line.includes(`cookie=${cookie},`)) return undefined;
  }
  return flows;
}

function isUsualOr({ cookie: its, rule }: DumpedFlow, cookie: string): boolean {
  return its !== cookie || isUsual(rule);
}

function dumpedFlow(line: string): DumpedFlow | undefined {
  const [, cookie = "0x0", table = "0", priority = "32768", fields, actions] = LINE.exec(line) ?? [];
  if (fields === undefined) return undefined;
  const match = orderedMatch(fields);
  return {
    rule: `table=${table.padStart(3)} priority=${priority.padStart(5)}${match === "" ? "" : ` ${match}`}`,
    cookie,
    actions: actions!,
    printed: [`table=${table}`, `priority=${priority}`, fields].filter(Boolean).join(","),
  };
}
