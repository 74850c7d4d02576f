import * as pulumi from "@pulumi/pulumi";
import * as ovn from "pulumi-ovn";
import { refusalOf } from "../../support/program";

type Made = new (name: string, args?: unknown) => pulumi.Resource;
const isClass = (value: unknown): value is Made => typeof value === "function" && value.prototype instanceof pulumi.Resource;
const ABSTRACT = ["FlowResource", "ObjectResource", "OvnResource", "RowResource"];
const classes = Object.entries(ovn as Record<string, unknown>).flatMap(([name, value]) =>
  isClass(value) && !ABSTRACT.includes(name) ? [[name, value] as const] : [],
);

it("finds the classes", () => {
  expect(classes.length).toBeGreaterThan(25);
  expect(classes.map(([name]) => name)).toEqual(expect.arrayContaining(["Layer2Network", "Vpc", "RouteAdvertisement", "BridgeFlows", "TunnelKeyPool"]));
});

describe.each(classes)("%s", (exported, Class) => {
  // An earlier name of the class.
  const kind = exported === "LayerTwoSwitch" ? "Layer2Switch" : exported;
  it.each<[string, unknown, string]>([
    ["nothing", undefined, "args: is required [required]"],
    ["null", null, "args: must be an object, not null [invalid_type]"],
    ["a list", [{ zone: "z" }], "args: must be an object, not a list [invalid_type]"],
    ["a text", "z", "args: must be an object, not a text [invalid_type]"],
    ["a function", () => ({}), "args: must be an object, not a function [invalid_type]"],
    ["an output", pulumi.output({ zone: "z" }), "args: can't be an output or a promise as a whole; each argument can [invalid_type]"],
    ["a promise", Promise.resolve({ zone: "z" }), "args: can't be an output or a promise as a whole; each argument can [invalid_type]"],
  ])("refuses %s in place of arguments, before anything is registered", async (_what, args, said) => {
    const { text, made } = await refusalOf(() => void new Class("it", args));
    expect(text).toBe(`${kind} "it" can't be made from these arguments:\n  ${said}`);
    expect(made).toEqual([]);
  });
});
