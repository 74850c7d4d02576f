import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { UpgradeSeen as Seen } from "@pulumi-ovn/cli/testing";
import { isPacked, packed } from "@pulumi-ovn/provider/testing";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { contents, handlers, unpacked } from "@pulumi-ovn/provider/tools";
import { checked, ownerOf, served } from "../../support/provider";

const ZONES = { node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere" } };
const nodes = { node1: { id: 2 }, node2: { id: 3, chassis: "h2" } };
const chassis = { h1: { zone: "node1", addresses: ["198.18.0.1"] } };

describe("arguments in one text", () => {
  it("are unpacked in the order in which Pulumi passes properties to a provider", () => {
    const packing = packed(
      { zone: "node1", mtu: 1400, subnets: ["10.0.0.0/16"], gateway: { mac: "0a" }, owner: "urn" },
      new Set(["mtu", "gateway", "subnets", "missing"]),
    );
    expect(packing).toEqual({ zone: "node1", owner: "urn", __arguments: '{"gateway":{"mac":"0a"},"mtu":1400,"subnets":["10.0.0.0/16"]}' });
    expect(Object.entries(contents({ ...packing, __provider: "text", redact: ["x"], dryRun: true }))).toEqual([
      ["gateway", { mac: "0a" }],
      ["mtu", 1400],
      ["subnets", ["10.0.0.0/16"]],
      ["zone", "node1"],
    ]);
    expect([isPacked(packing), isPacked(unpacked(packing))]).toEqual([true, false]);
  });

  it("are omitted if nothing is to be packed, and properties of earlier releases stay", () => {
    const properties = { zone: "node1", digest: "x" };
    expect([packed(properties, new Set(["mtu"])), unpacked(properties)]).toEqual([properties, properties]);
    expect(contents(properties)).toEqual(properties);
  });

  it("can be any JSON", () => {
    const properties = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,3}$/),
      fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value)) as unknown),
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(properties, fc.subarray(["a", "b", "ab", "c"]), (given, names) => expect(unpacked(packed(given, new Set(names)))).toEqual(given)),
      { numRuns: 30 },
    );
  });

  it("are also found in engine events", () => {
    const seen = new Seen();
    const old = { type: "t:T", parent: "p", inputs: {}, outputs: { __arguments: '{"mtu":1400}', digest: "x" } };
    seen.event({ resourcePreEvent: { metadata: { op: "same", urn: "u", old, new: old } } } as never);
    expect(seen.preview().before[0]!.outputs).toEqual({ mtu: 1400, digest: "x" });
  });
});

describe("outputs of a resource", () => {
  const owner = ownerOf("NetworkMembers", "blue-members");
  const made = async (lists: object) => {
    const inputs = await checked("NetworkMembers", "blue-members", lists, ZONES);
    return { inputs, members: await served("NetworkMembers", ZONES) };
  };

  it("contain the arguments as one text, and the properties that programs may read", async () => {
    const { inputs, members } = await made({ nodes, chassis });
    const { outs } = await members.create(inputs);
    expect(outs).toEqual({ owner, lists: inputs.lists, __arguments: JSON.stringify({ chassis, nodes }) });
    expect(contents(outs!)).toEqual(contents(inputs));
    // A refresh gives inputs as a check does, and outputs as they are.
    expect(await members.read("members", outs)).toEqual({ id: "members", props: outs, inputs: { ...contents(inputs), owner } });
    expect((await members.diff("members", outs, inputs)).changes).toBe(false);
  });

  it("stay as an earlier release wrote them until the resource changes", async () => {
    const { inputs, members } = await made({ nodes });
    const more = (await made({ nodes: { ...nodes, node3: { id: 4 } } })).inputs;
    const before = { ...inputs, owner };
    expect((await members.diff("members", before, inputs)).changes).toBe(false);
    expect((await members.read("members", before)).props).toEqual(before);
    const { outs } = await members.update("members", before, more);
    expect([JSON.parse(outs!.__arguments), outs!.nodes, outs!.formerly.nodes.entries]).toEqual([{ nodes: more.nodes }, undefined, { node3: null }]);
    // The text has the base of the next comparison.
    expect((await members.update("members", outs, inputs)).outs!.formerly.nodes.entries).toEqual({ node3: { id: 4 } });
  });

  it("keep their names with a secret: Pulumi marks secrets by argument name", async () => {
    const { inputs, members } = await made({ nodes, redact: ["nodes"] });
    const secret = { ...inputs, redact: ["nodes"] };
    const { outs } = await members.create(secret);
    expect([outs!.nodes, isPacked(outs!)]).toEqual([nodes, false]);
    const open = (await members.create((await made({ nodes })).inputs)).outs!;
    expect(isPacked((await members.update("members", open, secret)).outs!)).toBe(false);
  });
});

const source = (file: string): string => readFileSync(join(projectRoot, "sdk", file), "utf8");
const declared = (text: string): string[] => [...text.matchAll(/declare readonly (\w+)/g)].map(([, name]) => name!);

it("have a property for each output that a class of the sdk documents", () => {
  const above = new Map(
    source("resource.ts")
      .split("export abstract class ")
      .map((text) => [text.slice(0, text.indexOf(" ")), declared(text)]),
  );
  expect(Object.fromEntries(above)).toMatchObject({
    RowResource: ["zone", "digest", "revision"],
    FlowResource: ["host", "cookie", "digest", "revision"],
    ObjectResource: ["cluster", "digest", "revision"],
  });
  const classes = readdirSync(join(projectRoot, "sdk/resources")).flatMap((file) => {
    const text = source(join("resources", file));
    const [kind, parent] = [/super\("(\w+)"/.exec(text)?.[1], /extends (\w+)/.exec(text)?.[1]];
    return kind === undefined ? [] : [{ kind, outputs: [...declared(text), ...(above.get(parent!) ?? [])] }];
  });
  expect(classes.map(({ kind }) => kind)).toEqual(
    expect.arrayContaining(["TransitRouter", "Layer2Gateway", "NodeLocalBridge", "VpcBridges", "KubernetesObjects", "RouteAdvertisement"]),
  );
  const packing = classes.map(({ kind, outputs }) => [
    kind,
    (handlers[kind]!.repeated?.(Object.fromEntries(outputs.map((name) => [name, "value"]))) ?? []).filter((name) => outputs.includes(name)),
  ]);
  expect(packing).toEqual(classes.map(({ kind }) => [kind, []]));
});
