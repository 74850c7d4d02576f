import fc from "fast-check";
import ts from "typescript";
import { callRow, constantName, constantNames, literal, stringLiteral, UniqueNames } from "@pulumi-ovn/cli/testing";

/** Value of the compiled source text. */
function evaluate(source: string): unknown {
  const { outputText, diagnostics } = ts.transpileModule(`export const value = ${source};`, {
    compilerOptions: { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.CommonJS },
    reportDiagnostics: true,
  });
  expect(diagnostics).toEqual([]);
  const exports: { value?: unknown } = {};
  new Function("exports", outputText)(exports);
  return exports.value;
}

const text = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc
    .array(
      fc.constantFrom(
        '"',
        "'",
        "`",
        "${x}",
        "\\",
        "\n",
        "\r",
        "\u2028",
        "\u2029",
        "*/",
        "//",
        "</script>",
        "\u0000",
        "\ud800",
        "\udc00",
        "ö",
        "😀",
        "\u202e",
        "__proto__",
      ),
    )
    .map((parts) => parts.join("")),
);
const atom = fc.oneof(text, fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null));
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, atom, fc.array(tie("value"), { maxLength: 4 }), fc.dictionary(text, tie("value"), { maxKeys: 4 })),
}));

/** Gives all objects the same prototype, because random dictionaries may have another one. */
const plain = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(plain);
  return typeof value === "object" && value !== null ? Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)])) : value;
};

describe("literals", () => {
  it("compile to the JSON that they were made from", () => {
    fc.assert(
      fc.property(json, (value) => expect(evaluate(`(${literal(value)})`)).toEqual(plain(value))),
      { numRuns: 300 },
    );
  });

  it("contain no hidden characters and no code", () => {
    fc.assert(
      fc.property(text, (value) => {
        const source = stringLiteral(value);
        expect(source).toMatch(/^"[^\n\r\u2028\u2029\u202e\u200b]*"$/);
        expect(evaluate(source)).toBe(value);
      }),
    );
    expect(stringLiteral('a "b" ${c} `d` \n\u202e😀')).toBe('"a \\"b\\" ${c} `d` \\n\\u202e😀"');
  });

  it("keep a member named __proto__ as a member", () => {
    const value = JSON.parse('{"__proto__":{"a":1},"b":2}') as object;
    expect(literal(value)).toBe('{ ["__proto__"]: { a: 1 }, b: 2 }');
    expect(Object.keys(evaluate(`(${literal(value)})`) as object)).toEqual(["__proto__", "b"]);
  });

  it("are one line if it is short enough, otherwise one line for each member", () => {
    expect(literal({ a: [1, "x"], "b-c": {} })).toBe('{ a: [1, "x"], "b-c": {} }');
    expect(literal({ list: ["x".repeat(60), "y".repeat(60)] })).toBe(`{\n  list: [\n    "${"x".repeat(60)}",\n    "${"y".repeat(60)}",\n  ],\n}`);
  });

  it("contain expressions for texts that stand for them", () => {
    expect(literal({ switch: "uuid-1", name: "n" }, (value) => (value === "uuid-1" ? "l2.uuid" : undefined))).toBe('{ switch: l2.uuid, name: "n" }');
  });
});

describe("names", () => {
  const row = (table: string, columns: Record<string, string | number>) => ({ table, uuid: "u", columns });

  it("number rows from the names in the database", () => {
    expect(callRow(row("Logical_Switch", { name: "blue net/1" }))).toBe("blue-net/1");
    expect(callRow(row("NAT", { type: "snat", logical_ip: "10.0.0.0/24", external_ip: "1.2.3.4" }))).toBe("nat-snat-10.0.0.0/24");
    expect(callRow(row("Logical_Router_Static_Route", { ip_prefix: "::/0" }))).toBe("route--/0");
    expect(callRow(row("Sample_Collector", {}))).toBe("sample-collector");
    expect(callRow(row("Logical_Switch", { name: "" }))).toBe("logical-switch");
    expect(callRow(row("Logical_Switch", { name: "__proto__" }))).toBe("row-__proto__");
  });

  it("are valid in a URN, and on a command line", () => {
    fc.assert(
      fc.property(
        text.filter((name) => name !== ""),
        (name) => {
          const called = callRow(row("Logical_Switch", { name }));
          expect(called).toMatch(/^[\w.:/@%+-]{1,64}$/);
          expect(called).not.toContain("::");
        },
      ),
    );
  });

  it("are unique", () => {
    const names = new UniqueNames(["b"]);
    expect(["a", "a", "a-2", "a", "b"].map((name) => names.take(name))).toEqual(["a", "a-2", "a-2-2", "a-3", "b-2"]);
  });

  it("are valid constants for the compiler", () => {
    fc.assert(
      fc.property(fc.array(text, { maxLength: 8 }), (texts) => {
        const names = constantNames();
        const constants = texts.map((name) => names.take(constantName(name), ""));
        expect(new Set(constants).size).toBe(constants.length);
        evaluate(`(() => { ${constants.map((name) => `const ${name} = 1;`).join(" ")} })()`);
      }),
      { numRuns: 50 },
    );
    expect(constantName("node1-blue_transit_router")).toBe("node1BlueTransitRouter");
    expect(constantNames().take(constantName("class"), "")).toBe("class2");
    expect(constantName("1-a")).toBe("row1A");
  });
});
