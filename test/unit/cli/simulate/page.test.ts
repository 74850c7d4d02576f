import { readPreview } from "@pulumi-ovn/cli/diff";
import {
  type Answer,
  type Compared,
  fromText,
  type Outcome,
  type Path,
  planOf,
  reportOf,
  type SimulateQuestion as Question,
  type Simulation,
  simulationPage,
  simulationPicture,
  type Step,
  toText,
  type ZoneFacts,
} from "@pulumi-ovn/cli/testing";
import { partsOf, previewBetween } from "../../../support/planned";
import { network as blue } from "../../../support/simulated-plans";

const { vm3, ...others } = blue.workloads!;
const network = (workload: string) => partsOf({ ...blue, workloads: { ...others, [workload]: vm3! } });

const SWITCH = "blue_ovn_layer2_switch";
const ROUTER = "blue_transit_router";

/** A path through datapaths, each `ZONE DATAPATH`. */
function path(passed: readonly string[], outcome: Outcome): Path {
  const steps = passed.map((text): Step => {
    const [zone, datapath] = text.split(" ") as [string, string];
    return { zone, datapath, pipeline: "ingress", table: 0, stage: "ls_in_l2_lkup", match: "1", priority: 1, hint: undefined };
  });
  return { steps, outcome, source: "203.203.0.21", destination: "203.203.0.22", backends: [] };
}
const answer = (reach: boolean, there: Path, back?: Path): Answer => ({ reach, there, back, unknowns: [] });
const asked = (from: string, to: Question["to"]): Question => ({
  from: { kind: "workload", name: from },
  source: "203.203.0.21",
  to,
  family: 4,
  protocol: { name: "tcp", port: 22 },
});
const workload = (name: string): Question["to"] => ({ kind: "workload", name, address: "203.203.0.22" });
const arrived = (zone: string, port: string): Outcome => ({ kind: "delivered", zone, port });
const out = (zone: string): Outcome => ({ kind: "outside", zone, network: "physnet" });
const dropped = (zone: string): Outcome => ({ kind: "lost", zone, why: "dropped in table ls_out_acl_eval of blue" });

const leaving = (node: string) => path([`node1 ${SWITCH}`, `node1 ${ROUTER}`, `${node} GR_blue_${node}`, `${node} ext_blue_${node}`], out(node));
const facts = { workloads: ["vm1", "vm2"].map((name) => ({ name })) } as unknown as ZoneFacts;
const workloads = new Map(["vm1", "vm2"].map((name) => [name, "node1"]));
const world = {
  isLive: false,
  zones: new Map([["node1", facts]]),
  workloads,
  homes: new Map(),
  elsewhere: new Set<string>(),
  flows: new Map(),
  exposures: new Map(),
  announced: new Map(),
  hostNetworks: new Set<string>(),
  misled: new Set<string>(),
  omissions: [],
};
const simulation = (changes: readonly Compared[]): Simulation => ({
  before: world,
  after: world,
  questions: changes.length,
  changed: changes.map((each) => ({ ...each, senders: [fromText(each.question)], receivers: [toText(each.question)] })),
  impact: [{ zone: "node2", datapath: SWITCH, added: 1, removed: 0 }],
  omissions: [],
  workloads: { before: new Set(workloads.keys()), after: new Set(workloads.keys()) },
  flows: [],
  unknowns: [],
});

const lost = {
  question: asked("vm1", workload("vm2")),
  before: answer(true, path([`node1 ${SWITCH}`, `node2 ${SWITCH}`], arrived("node2", "vm2"))),
  after: answer(false, path([`node1 ${SWITCH}`, `node2 ${SWITCH}`], dropped("node2"))),
};
const changed = {
  question: asked("vm1", { kind: "outside", address: "198.51.100.7" }),
  before: answer(true, leaving("node1"), path([], arrived("node1", "vm1"))),
  after: answer(true, leaving("node2"), path([], arrived("node1", "vm1"))),
};

async function simulated(compared: readonly Compared[], added: string) {
  const preview = readPreview(await previewBetween(network("old"), network(added)), "the preview");
  const plan = planOf(preview);
  const intents = [{ kind: "Layer2Network", network: "blue", intent: "vm1 reaches vm2", verdict: "broken", why: "dropped" }] as const;
  return { preview, plan, simulation: simulation(compared), report: reportOf(plan, simulation(compared), intents) };
}
const pageOf = async (compared: readonly Compared[], added = "vm3") => simulationPage(await simulated(compared, added));

/** Boxes with an outline on a path, by position on one side: titles of the boxes, numbers and the word at the end. */
function drawn(
  html: string,
  side: string,
  way: number,
): { readonly boxes: string[]; readonly numbers: string[]; readonly end: string | undefined } | undefined {
  const picture = html.split(`id="side-${side}"`)[1]!.split("</svg>")[0]!;
  const group = new RegExp(`<g class="way" data-way="${way}">.*?</g>`).exec(picture)?.[0];
  if (group === undefined) return undefined;
  const places = new Map(
    [...picture.matchAll(/data-box="[^"]*"><title>([^<\n]*)[^]*?<text class="title" x="(\d+)" y="(\d+)"/g)].map(([, title, x, y]) => [
      `${Number(x) - 15},${Number(y) - 22}`,
      title!,
    ]),
  );
  const boxes = [...group.matchAll(/<rect x="(\d+)" y="(\d+)"/g)].map(([, x, y]) => places.get(`${x},${y}`) ?? `nothing at ${x},${y}`);
  return {
    boxes,
    numbers: [...group.matchAll(/class="number"[^>]*>(\d+)</g)].map(([, number]) => number!),
    end: /class="end"[^>]*>([^<]*)</.exec(group)?.[1],
  };
}

it("draws the path of a lost connection before and after, with a button for each", async () => {
  const html = await pageOf([lost]);
  expect([...html.matchAll(/<button data-way="(\d)" aria-pressed="false">([^<]*)</g)].map(([, id, text]) => [id, text])).toEqual([
    ["0", "before: vm1 → switch of blue → vm2: delivered to vm2 in node2"],
    ["1", "after: vm1 → switch of blue: lost: dropped in table ls_out_acl_eval of blue"],
  ]);
  expect(html).toContain("<h3>Lost</h3><ul><li>vm1 to vm2: tcp 22 IPv4; dropped in table ls_out_acl_eval of blue<ul><li>");
  const before = { boxes: ["vm1", "switch of blue", "vm2"], numbers: ["1", "2", "3"], end: undefined };
  const after = { boxes: ["vm1", "switch of blue"], numbers: ["1", "2"], end: "✕ lost" };
  expect([drawn(html, "before", 0), drawn(html, "changes", 0), drawn(html, "after", 0)]).toEqual([before, before, undefined]);
  expect([drawn(html, "before", 1), drawn(html, "changes", 1), drawn(html, "after", 1)]).toEqual([undefined, after, after]);
});

it("draws both paths of a connection that leaves by another gateway", async () => {
  const html = await pageOf([changed]);
  expect(html).toMatch(/<h3>Another way<\/h3><ul><li>vm1 to outside: tcp 22 IPv4; node node2 instead of node1; the path changes</);
  expect(drawn(html, "before", 0)?.boxes).toEqual(["vm1", "switch of blue", "transit router of blue", "GR_blue_node1", "external network physnet"]);
  expect(drawn(html, "after", 1)?.boxes).toEqual(["vm1", "switch of blue", "transit router of blue", "GR_blue_node2", "external network physnet"]);
});

it("draws the paths of several connections over one picture, each with a letter and a line below", async () => {
  const picture = simulationPicture(await simulated([lost, changed, lost], "vm3"));
  const numbers = [...picture.matchAll(/<text class="number"[^>]*>(\w+)</g)].map(([, number]) => number);
  expect(numbers).toEqual(["A1", "A2", "A3", "B1", "B2", ...["C", "D"].flatMap((letter) => [1, 2, 3, 4, 5].map((number) => `${letter}${number}`))]);
  const below = [...picture.matchAll(/<text class="title" x="16"[^>]*>([^<]*)</g)].map(([, text]) => text).join(" ");
  expect(below).toBe(
    [
      "A before: vm1 → switch of blue → vm2: delivered to vm2 in node2",
      "B after: vm1 → switch of blue: lost: dropped in table ls_out_acl_eval of blue",
      "C before: vm1 → switch of blue → transit router of blue → GR_blue_node1 → external network physnet: leaves to physical network physnet in node1",
      "D after: vm1 → switch of blue → transit router of blue → GR_blue_node2 → external network physnet: leaves to physical network physnet in node2",
    ].join(" "),
  );
  expect(picture).toContain(".way polyline");
});

it("draws the reply if only the reply is lost", async () => {
  const there = path([`node1 ${SWITCH}`, `node2 ${SWITCH}`], arrived("node2", "vm2"));
  const back = (outcome: Outcome) => path([`node2 ${SWITCH}`, `node1 ${SWITCH}`], outcome);
  const html = await pageOf([{ ...lost, before: answer(true, there, back(arrived("node1", "vm1"))), after: answer(false, there, back(dropped("node1"))) }]);
  expect(html).toContain("before: reply: vm2 → switch of blue → vm1: delivered to vm1 in node1<");
  expect(drawn(html, "after", 1)).toEqual({ boxes: ["vm2", "switch of blue"], numbers: ["1", "2"], end: "✕ lost" });
});

it("has intents, logical flows and changes next to the picture, also without an effect", async () => {
  const html = await pageOf([]);
  expect(html).toContain("<h2>No packet takes another way (0 connections simulated)</h2></section>");
  expect(html).toContain('<h2>Intents</h2><table><thead><tr><td></td></tr></thead><tbody><tr class="error"><td>!</td><td>BROKEN by the update: ');
  expect(html).toContain("<td>zone node2, blue_ovn_layer2_switch: +1 -0</td>");
  expect(html).toContain(">vm3 in zone node2: added</button>");
  expect(html).not.toContain("<button data-way");
});

it("shows hostile names as text", async () => {
  const hostile = '"><script>alert(1)</script>';
  const there = path([`node1 ${SWITCH}`], { kind: "lost", zone: "node1", why: hostile });
  const html = await pageOf([{ ...lost, after: answer(false, there) }]);
  expect(html).toContain("after: vm1 → switch of blue: lost: &quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;<");
  expect(html.match(/<script/g)).toHaveLength(3);
});
