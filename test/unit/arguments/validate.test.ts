import { z } from "zod";
import { propertyPath } from "@pulumi-ovn/provider";
import { validate } from "@pulumi-ovn/provider/testing";
import { hasUnknown, sameJson, UNKNOWN } from "@pulumi-ovn/provider/tools";

const schema = z.strictObject({
  zone: z.string(),
  tunnelKey: z.number().int().max(9).optional(),
  nodes: z.record(z.string(), z.strictObject({ id: z.number() })).optional(),
});

describe("validate", () => {
  it("accepts valid arguments", () => {
    expect(validate(schema, { zone: "a", tunnelKey: 3, nodes: { "n-1": { id: 1 } } })).toEqual([]);
  });

  it("names every failure with its property path", () => {
    expect(validate(schema, { tunnelKey: 10, nodes: { "n-1": { id: "x" } } })).toEqual([
      { path: "zone", code: "required", message: "is required" },
      { path: "tunnelKey", code: "too_big", message: "must be at most 9" },
      { path: 'nodes["n-1"].id', code: "invalid_type", message: "must be a number, not a text" },
    ]);
  });

  it("suggests a name only for a typo", () => {
    expect(validate(schema, { zone: "a", tunelKey: 3 })).toEqual([
      { path: "tunelKey", code: "unknown-argument", message: 'there is no argument "tunelKey"; did you mean "tunnelKey"?' },
    ]);
    expect(validate(schema, { zone: "a", colour: 3 })[0]!.message).toBe('there is no argument "colour"');
  });

  it("does not examine values that a preview does not know, at any depth", () => {
    expect(validate(schema, { zone: UNKNOWN, tunnelKey: UNKNOWN, nodes: UNKNOWN })).toEqual([]);
    expect(validate(schema, { zone: "a", tunnelKey: 10, nodes: { a: UNKNOWN } })).toHaveLength(1);
  });

  it("writes property paths as Pulumi does", () => {
    expect(propertyPath(["nodes", "a.b", "addresses", 0, "mac"])).toBe('nodes["a.b"].addresses[0].mac');
    expect(propertyPath([])).toBe("");
  });
});

describe("unknown values and equality", () => {
  it("finds an unknown at any depth", () => {
    expect(hasUnknown({ a: [{ b: UNKNOWN }] })).toBe(true);
    expect(hasUnknown({ a: [null, 1, "x"] })).toBe(false);
  });

  it("compares JSON by structure, in any order of fields", () => {
    expect(sameJson({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1, c: undefined })).toBe(true);
    expect(sameJson({ a: [1, 2] }, { a: [2, 1] })).toBe(false);
    expect(sameJson(undefined, undefined)).toBe(true);
    expect(sameJson(undefined, null)).toBe(false);
  });
});
