import { literal, statement, valuesOf } from "../../../docs/generator/code";
import { cell, firstClause, meaningOf, paragraphs, table } from "../../../docs/generator/prose";
import { Expression } from "../../../docs/generator/samples/sample";

describe("comments", () => {
  it.each([
    ["Name of the router.", "Name of the router.", undefined],
    ["Seconds to wait. Default: 60.", "Seconds to wait.", "60"],
    ["Default: 100.65.0.0/16 and fd99::/64.", "", "100.65.0.0/16 and fd99::/64"],
    ['Kind. Default: "geneve". Both ends alike.', "Kind. Both ends alike.", '"geneve"'],
    ["Kind\nof tunnel. Default:\nnone; required with `x`.", "Kind of tunnel.", "none; required with `x`"],
    ["Ask for members. Needs an address of its own, so: default false.", "Ask for members. Needs an address of its own, so: default false.", undefined],
  ])("take the default out of %j", (comment, text, value) => {
    expect(meaningOf(comment)).toEqual({ text, default: value });
  });

  it("join lines and keep paragraphs", () => {
    expect(paragraphs("One\ntwo.\n\nThree\n four.")).toBe("One two.\n\nThree four.");
  });

  it("give their first clause to the index", () => {
    expect(firstClause("Range 0.0.0.0/0 of v1.2 keys. More.")).toBe("Range 0.0.0.0/0 of v1.2 keys");
    expect(firstClause("No stop")).toBe("No stop");
  });
});

it("keeps bars from ending a cell", () => {
  expect(cell('`"a" | "b"`')).toBe('`"a" \\| "b"`');
  expect(table(["a", "b"], [["1|2", ""]])).toBe("a | b\n---|---\n1\\|2 |");
});

describe("samples as code", () => {
  const reference = new Expression("sw.uuid", "blue");

  it("write short values in one line and fold long ones", () => {
    expect(literal({ a: 1, "b-c": ["x", true, null], d: reference })).toBe('{ a: 1, "b-c": ["x", true, null], d: sw.uuid }');
    const long = "x".repeat(60);
    expect(literal({ a: long, b: [long] })).toBe(`{\n  a: "${long}",\n  b: ["${long}"],\n}`);
    expect(literal({ a: { b: long, c: long } })).toBe(`{\n  a: {\n    b: "${long}",\n    c: "${long}",\n  },\n}`);
  });

  it("are statements of a stack program, and values for the provider", () => {
    const sample = { variable: "ports", args: { switch: reference, list: [reference, 1] } };
    expect(statement("WorkloadPorts", sample)).toBe('const ports = new ovn.WorkloadPorts("ports", { switch: sw.uuid, list: [sw.uuid, 1] });');
    expect(valuesOf(sample.args)).toEqual({ switch: "blue", list: ["blue", 1] });
  });
});
