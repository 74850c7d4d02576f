import { fold, GITHUB, GITLAB, layout, mermaid, page, picturedPreview, type PicturedResource, sceneOf, svg } from "@pulumi-ovn/cli/testing";
import { vpcState } from "../../support/vpc-state";
import { SAMPLE } from "../vpc/sample";
import { drawnNetwork } from "../../support/drawn-network";

const before = drawnNetwork(
  "blue",
  { node1: {}, node2: { addresses: ["192.0.2.12/24"] }, node3: { topology: "gateway" } },
  { vm1: { zone: "node1", addresses: ["10.0.0.11"] }, vm2: { zone: "node2", addresses: ["10.0.0.12"] }, vm3: { zone: "node3", addresses: ["10.0.0.13"] } },
);
const after = drawnNetwork(
  "blue",
  { node1: {}, node2: { addresses: ["192.0.2.22/24"] }, node3: {}, node4: {} },
  { vm1: { zone: "node2", addresses: ["10.0.0.11"] }, vm2: { zone: "node2", addresses: ["10.0.0.12"] }, vm4: { zone: "node3", addresses: ["10.0.0.14"] } },
);
const scene = sceneOf({ stack: "net/dev", before, after }, "topology");

it("describes the update's effect on every box", () => {
  const changed = scene.boxes.filter(({ status }) => status !== "same").map(({ title, status, column }) => [title, status, column]);
  expect(changed).toEqual([
    ["GR_blue_node2", "changed", "node2"],
    ["vm1", "left", "node1"],
    ["vm1", "moved", "node2"],
    ["vm3", "removed", "node3"],
    ["GR_blue_node4", "added", "node4"],
    ["vm4", "added", "node3"],
  ]);
  const { facts } = scene.boxes.find(({ title }) => title === "GR_blue_node2")!;
  expect(facts.map(({ value, status }) => [value, status])).toEqual([
    ["192.0.2.12/24", "removed"],
    ["192.0.2.22/24", "added"],
    ["SNAT to its address", "same"],
  ]);
  const outside = "outside physnet 192.0.2.0/24";
  const changes = scene.links.filter(({ status }) => status !== "same").map(({ from, to, status }) => [from, to, status]);
  expect(changes.sort()).toEqual(
    [
      ["network blue gateway node3", "network blue switch", "removed"],
      ["network blue workloads vm1 (before)", "network blue switch", "removed"],
      ["network blue workloads vm3", "network blue switch", "removed"],
      ["network blue gateway node3", "network blue transit", "added"],
      ["network blue gateway node4", outside, "added"],
      ["network blue gateway node4", "network blue transit", "added"],
      ["network blue workloads vm1", "network blue switch", "added"],
      ["network blue workloads vm4", "network blue switch", "added"],
      ["network blue workloads vm1 (before)", "network blue workloads vm1", "moved"],
    ].sort(),
  );
  expect(scene.columns.map(({ id, status }) => [id, status])).toEqual([
    ["node1", "same"],
    ["node2", "same"],
    ["node3", "same"],
    ["node4", "added"],
  ]);
});

it("keeps a thing's position before, after and in the difference", () => {
  const placed = layout(fold(scene));
  const places = (picture: string) =>
    new Map([...picture.matchAll(/data-box="([^"]+)"><title>[^]*?<\/title><(?:rect|path) class="shape" ([^/]*)/g)].map(([, id, place]) => [id, place]));
  const [old, wanted, both] = (["before", "after", "changes"] as const).map((side) => places(svg(placed, side)));
  expect(old!.size).toBeGreaterThan(5);
  for (const [id, place] of [...old!, ...wanted!]) expect([id, both!.get(id)]).toEqual([id, place]);
  expect([...old!.keys()].filter((id) => !wanted!.has(id)).sort()).toEqual(["network blue workloads vm1 (before)", "network blue workloads vm3"]);
});

it("is readable without colours: every change has a text", () => {
  const picture = svg(layout(fold(scene)));
  const tags = [...picture.matchAll(/<text class="tag"[^>]*>([^<]*)</g)].map(([, tag]) => tag).sort();
  expect(tags).toEqual(["+ added", "+ added", "~ changed", "→ moved here", "→ moves away", "− removed"].sort());
  expect(picture).toContain('<tspan class="sign removed">− </tspan><tspan class="gone">192.0.2.12/24</tspan>');
  expect(picture.match(/<(rect|path) class="(shape|column|link)/g)!.length).toBeLessThanOrEqual(picture.match(/<title>/g)!.length);
});

it.each([1, 2, 4])("explains a difference of %i zones within its width", (zones) => {
  const all = drawnNetwork("blue", Object.fromEntries(Array.from({ length: zones }, (_, index) => [`node${index + 1}`, {}])));
  const placed = layout(fold(sceneOf({ stack: "net/dev", before: all, after: all }, "topology")));
  const lines = [...svg(placed).matchAll(/<text class="soft" x="16" y="(\d+)">([^<]*)</g)].slice(-4).filter(([, y]) => Number(y) > placed.height - 80);
  const legend = lines.map(([, , text]) => text!);
  expect(legend.join(" ").replace(/ +/g, " ")).toBe(
    "thick line, “+”: added dashed, “−”: removed thick, “~”: changed in place arrow: moved from dashed to thick thin and grey: unchanged",
  );
  expect(legend.filter((text) => text.length * 6.9 > placed.width - 32)).toEqual([]);
});

it.each(["172.20.0.202", "fc00:f853:ccd:e793::ca", "GR_network_of_node-17.rack"])("shows the whole title %s of a changed box", (name) => {
  const of = (address: string) => drawnNetwork("blue", { node1: {} }, { [name]: { zone: "node1", addresses: [address] } });
  const picture = svg(layout(fold(sceneOf({ stack: "net/dev", before: of("10.0.0.11"), after: of("10.0.0.12") }, "topology"))));
  expect(picture).toContain(`>${name}</text>`);
  expect(picture).toMatch(/class="tag"[^>]*>~/);
});

it("draws the same difference as Mermaid", () => {
  const text = mermaid(scene, GITLAB).replace(/[\ufeff\u2060]/g, "");
  for (const line of ["~ GR_blue_node2", "− 192.0.2.12/24", "+ 192.0.2.22/24", "− vm3", "+ vm4", "==>|moves|", '["+ zone node4"]'])
    expect(text).toContain(line);
  expect(text.length).toBeLessThanOrEqual(GITLAB.characters);
  // Mermaid 11.4 refuses labels that begin like a list.
  expect(mermaid(scene, GITLAB)).not.toMatch(/(?:"|<br\/>) *(?:[-+*]|\d+[.)]) /);
});

const many = (zones: number, workloads: number) => {
  const nodes = Object.fromEntries(
    Array.from({ length: zones }, (_, index) => [`node${index + 1}`, { addresses: [`172.18.${index >> 8}.${index & 255}/16`] }]),
  );
  const guests = Object.fromEntries(
    Array.from({ length: workloads }, (_, index) => [
      `vm${index + 1}`,
      { zone: `node${(index % zones) + 1}`, addresses: [`10.0.${index >> 8}.${index & 255}`] },
    ]),
  );
  return drawnNetwork("blue", nodes, guests);
};

test.each([
  [3, 9],
  [30, 200],
  [300, 5000],
])("%i zones and %i workloads fold to 40 boxes, and what changes stays", (zones, workloads) => {
  const old = many(zones, workloads);
  const moved = structuredClone(old);
  const list = moved[0]!.inputs["workloads"] as Record<string, { zone: string }>;
  list["vm2"]!.zone = `node${zones}`;
  delete list["vm1"];
  const difference = sceneOf({ stack: "net/dev", before: old, after: moved }, "topology");
  for (const folded of [fold(difference), fold(sceneOf({ stack: "net/dev", before: undefined, after: old }, "topology"))]) {
    expect(folded.boxes.length).toBeLessThanOrEqual(40);
    const all = folded.boxes.flatMap(({ id, represented }) => (represented.length > 0 ? represented : [id]));
    expect(new Set(all).size).toBe(all.length);
  }
  const { boxes } = fold(difference);
  expect(
    boxes
      .filter(({ status, represented }) => status !== "same" && represented.length === 0)
      .map(({ title, status }) => `${title} ${status}`)
      .sort(),
  ).toEqual(["vm1 removed", "vm2 left", "vm2 moved"]);
  for (const limits of [GITLAB, GITHUB]) expect(mermaid(difference, limits).length).toBeLessThanOrEqual(limits.characters);
  expect(mermaid(difference, GITLAB)).toContain("− vm1");
});

it("writes a page of 300 zones and 5,000 workloads with at most 2 MB, with as many rows and arguments as fit", () => {
  const rows = Object.fromEntries(
    Array.from({ length: 20 }, (_, index) => [`Logical_Switch_Port vm${index}`, `addresses="0a:58:0a:00:00:01 10.0.0.${index}"`]),
  );
  const old = many(300, 5000).map((each): PicturedResource => ({ ...each, inputs: { ...each.inputs, rows, more: "x".repeat(400) } }));
  const moved = structuredClone(old);
  (moved[0]!.inputs["workloads"] as Record<string, { zone: string }>)["vm2"]!.zone = "node300";
  const pictured = { stack: "net/dev", before: old, after: moved };
  const text = page(pictured, sceneOf(pictured, "topology"));
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(2_000_000);
  expect(text).toContain("addresses=");
});

it("compares a VPC without the outputs that a preview does not know, and shows where rules change", () => {
  const { deployment } = vpcState(SAMPLE) as { deployment: { resources: Record<string, any>[] } };
  const steps = deployment.resources.map(({ outputs, ...rest }) => {
    const inputs = rest["inputs"] ?? {};
    const isRouter = String(rest["type"]).endsWith("LogicalRouterBridge");
    const changed = isRouter ? { ...inputs, enabled: false, acls: { web: [{ number: 1, action: "allow", direction: "ingress" }] } } : inputs;
    const old = { type: rest["type"] as string, inputs, outputs };
    return {
      op: isRouter ? "update" : "same",
      urn: rest["urn"] as string,
      oldState: old,
      newState: { ...old, inputs: changed, ...(isRouter || rest["parent"] === undefined ? { outputs: undefined } : {}) },
    };
  });
  const changed = (view: "topology" | "policy") => sceneOf(picturedPreview({ steps }), view).boxes.filter(({ status }) => status !== "same");
  expect(
    changed("topology").map(({ title, status, facts }) => [title, status, facts.filter((fact) => fact.status !== "same").map(({ value }) => value)]),
  ).toEqual([
    ["logical router", "changed", ["enabled", "fallback: switched off"]],
    ["logical router", "changed", ["enabled", "fallback: switched off"]],
    ["tier web", "changed", [expect.stringMatching(/^web \(/), "web (1 allow, 0 deny)"]],
  ]);
  expect(changed("policy").map(({ title, status }) => `${title} ${status}`)).toContain("allow everything added");
});

it("folds whole networks that do not fit", () => {
  const resources = Array.from({ length: 12 }, (_, index) =>
    drawnNetwork(`net${index + 1}`, { node1: {}, node2: {} }, { vm: { zone: "node1", addresses: ["10.0.0.11"] } }),
  ).flat();
  const folded = fold(sceneOf({ stack: "net/dev", before: undefined, after: resources }, "topology"));
  expect(folded.boxes.length).toBeLessThanOrEqual(40);
  expect(folded.boxes.at(-1)!.title).toMatch(/^\d more: net\d+, net\d+, net\d+ …$/);
  const networks = new Set(folded.bands.flatMap(({ group }) => group ?? []));
  for (const network of networks) expect(folded.bands.filter(({ group }) => group === network).map(({ title }) => title)).toHaveLength(4);
});

it("folds zones of one form, and names them", () => {
  const { columns } = fold(sceneOf({ stack: "net/dev", before: undefined, after: many(100, 0) }, "topology"));
  expect(columns.map(({ title }) => title)).toEqual(["zone node1", "99 zones like node1"]);
});

describe("an upgrade", () => {
  const staged = (topologies: readonly ("gateway" | "transit")[], upgrade: string) => {
    const nodes = Object.fromEntries(topologies.map((topology, index) => [`node${index + 1}`, { topology, addresses: [`172.18.0.${index + 1}/16`] }]));
    return drawnNetwork("blue", nodes).map((each) => ({ ...each, inputs: { ...each.inputs, upgrade } }));
  };

  it("shows a node's former and future topology, and the purpose of its stage", () => {
    const [before, after] = [staged(["transit", "gateway"], "move"), staged(["transit", "transit"], "follow")];
    const { boxes } = sceneOf({ stack: "net/dev", before, after }, "upgrade");
    expect(boxes.map(({ title, status, facts }) => [title, status, facts.map((fact) => `${fact.status}: ${fact.name} ${fact.value}`)])).toEqual(
      [
        ["node node1", "changed", ["same: topology transit"]] as const,
        ["node node2", "changed", ["removed: topology gateway", "added: topology transit"]] as const,
      ].map(([title, status, topology]) => [
        title,
        status,
        [...topology, "removed: stage move: nodes change their topology", "added: stage follow: nodes reach each other over transit links"],
      ]),
    );
  });

  it("folds nodes of each topology separately", () => {
    const of = (moved: number) =>
      staged(
        Array.from({ length: 60 }, (_, index) => (index < moved ? "transit" : "gateway")),
        "move",
      );
    const { columns, boxes } = fold(sceneOf({ stack: "net/dev", before: of(20), after: of(24) }, "upgrade"));
    expect(columns.map(({ title }) => title)).toEqual([
      ...["zone node1", "zone node21", "zone node22", "zone node23", "zone node24", "zone node25"],
      "19 zones like node1",
      "35 zones like node25",
    ]);
    expect(
      boxes.filter(({ represented }) => represented.length > 0).map(({ title, facts }) => [title, ...facts.slice(0, 2).map(({ value }) => value)]),
    ).toEqual([
      ["19 hosts", "node node2 … node node20", "transit"],
      ["35 hosts", "node node26 … node node60", "gateway"],
    ]);
  });
});
