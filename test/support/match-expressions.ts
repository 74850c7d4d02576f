import fc from "fast-check";
import { symbols } from "@pulumi-ovn/provider/testing";

/** Symbols that OVN 25.03 does not have yet. */
export const NEWER = ["ct_label.nf", "ct_label.nf_id", "ct_label.tun_if", "ct_label.tun_if_id", "flags.igmp_loopback", "flags.network_id", "flags.pkt_sampled"];

const all = [...symbols.values()].filter(({ name }) => !NEWER.includes(name));
const anySymbol = fc.constantFrom(...all);
const address = fc.constantFrom("10.0.0.1", "0.0.0.0", "255.255.255.255", "10.0.0.1/24", "10.0.0.0/255.0.255.0", "1.2.3.4/0", "1.2.3.4/32");
const address6 = fc.constantFrom(
  "fd00::1",
  "::",
  "::1",
  "fe80::/10",
  "::ffff:1.2.3.4",
  "1:2:3:4:5:6:7:8",
  "ff02::1/ffff::",
  "a::/128",
  "1:2:3:4:5:6:7::",
  "1:2:3:4:5:6:1.2.3.4",
  "::1.2.3.4",
);
/** Some of them are invalid. */
const oddAddress = fc.constantFrom(
  "1:2:3:4:5:6:7:8::",
  "1.2.3.4::",
  "00001::",
  "::12345",
  "1::2::3",
  "::1.2.3.04",
  "::1.2.3",
  "1:2:3",
  "010.0.0.1",
  "256.0.0.1",
  "1.2.3",
  "0001:2:3:4:5:0006",
  "1:2:3:4:5:6",
  "1.2.3.4/33",
  "::/129",
  "::1:",
);
const ethernet = fc.constantFrom("00:00:00:00:00:01", "ff:ff:ff:ff:ff:ff", "01:00:00:00:00:00/01:00:00:00:00:00", "0A:bc:00:00:00:00");
const decimal = fc.oneof(
  fc.constantFrom("0", "1", "2", "6", "53", "80", "255", "256", "65535", "65536", "4294967295", "18446744073709551615", "1/1", "5/7", "0/0"),
  fc.nat(70000).map(String),
);
const hexadecimal = fc.constantFrom(
  "0x0",
  "0x1",
  "0x0800",
  "0xffff",
  "0x10000",
  "0x1/0x1",
  "0/0xff",
  "0x2/0xff00",
  "0xfffffffffffffffff",
  "0X1f",
  "0x000000000000000000000000000000000000001",
);
const text = fc.oneof(
  fc.constantFrom('"p1"', '""', '"a b"', '"\\u00e9"', '"é"', '"\\n"', '"($@&|)"', '"a\\"b"'),
  fc
    .string({ maxLength: 6 })
    .filter((name) => !name.includes("\0"))
    .map((name) => JSON.stringify(name)),
);
const addressSet = fc.constantFrom("$as4", "$as6", "$macs", "$single", "$empty");
const portGroup = fc.constantFrom("@pg1", "@nobody");
const space = fc.constantFrom("", "", "", " ", " ", " ", "  ", "\t", "\n", "/* x */", "// y\n");

/** Constants that mostly suit a field of this width. */
function constantFor(width: number): fc.Arbitrary<string> {
  if (width === 0) return fc.oneof({ weight: 30, arbitrary: text }, { weight: 10, arbitrary: portGroup }, { weight: 1, arbitrary: decimal });
  const small = fc.bigInt({ min: 0n, max: 2n ** BigInt(Math.min(width, 64)) - 1n });
  const number = fc.oneof(
    small.map(String),
    small.map((value) => `0x${value.toString(16)}`),
    small.map((value) => `${value}/${value}`),
  );
  const suited = [number, ...(width >= 32 ? [address, addressSet] : []), ...(width >= 48 ? [ethernet] : []), ...(width >= 128 ? [address6, address6] : [])];
  const any = fc.oneof(decimal, hexadecimal, address, address6, ethernet, addressSet, text, portGroup, oddAddress);
  return fc.oneof({ weight: 30, arbitrary: fc.oneof(...suited) }, { weight: 1, arbitrary: any });
}

const equality = fc.oneof({ weight: 12, arbitrary: fc.constant("==") }, { weight: 1, arbitrary: fc.constantFrom("!=", "<", ">=") });
const comparison = fc.constantFrom("==", "==", "==", "!=", "<", "<=", ">", ">=");

const comparisonOf: fc.Arbitrary<string> = anySymbol.chain(({ name, width, level }) => {
  const constant = constantFor(width);
  const operator = level === "ordinal" ? comparison : equality;
  const last = Math.max(width - 1, 0);
  const bit = fc.oneof({ weight: 20, arbitrary: fc.nat(last) }, { weight: 1, arbitrary: fc.constant(width) });
  const bits = fc.tuple(bit, bit).map(([one, other]) => (one === other ? `[${one}]` : `[${Math.min(one, other)}..${Math.max(one, other)}]`));
  const field = fc.oneof(
    { weight: 5, arbitrary: fc.constant(name) },
    { weight: level === "ordinal" && width > 1 ? 2 : 0, arbitrary: bits.map((part) => name + part) },
  );
  const separator = fc.constantFrom(", ", ",", " ");
  const set = fc.tuple(fc.array(constant, { minLength: 1, maxLength: 4 }), separator).map(([members, between]) => `{${members.join(between)}}`);
  const range = fc.constantFrom(["<", "<="], ["<=", "<"], [">", ">"], ["<", "<"], [">=", ">"], ["<", ">"]);
  return fc.oneof(
    { weight: 8, arbitrary: fc.tuple(field, space, operator, space, constant).map((parts) => parts.join("")) },
    { weight: 3, arbitrary: fc.tuple(field, space, equality, space, set).map((parts) => parts.join("")) },
    { weight: 2, arbitrary: fc.tuple(constant, space, operator, space, field).map((parts) => parts.join("")) },
    {
      weight: level === "ordinal" ? 2 : 0,
      arbitrary: fc.tuple(constant, range, space, field, constant).map(([low, [one, other], gap, name, high]) => `${low}${one}${gap}${name}${other}${high}`),
    },
    { weight: width === 1 ? 12 : 1, arbitrary: field },
  );
});

const atom = fc.oneof(
  { weight: 12, arbitrary: comparisonOf },
  { weight: 1, arbitrary: fc.constantFrom("0", "1") },
  { weight: 1, arbitrary: text.map((port) => `is_chassis_resident(${port})`) },
);

/** Expressions as people write them: most of them OVN takes. */
export const matchExpression: fc.Arbitrary<string> = fc.letrec<{ expression: string; operand: string }>((tie) => ({
  operand: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    { weight: 8, arbitrary: atom },
    { weight: 2, arbitrary: tie("expression").map((inner) => `(${inner})`) },
    { weight: 1, arbitrary: tie("expression").map((inner) => `!(${inner})`) },
    { weight: 1, arbitrary: atom.map((inner) => `!${inner}`) },
  ),
  expression: fc
    .tuple(fc.constantFrom("&&", "||"), fc.array(fc.tuple(space, tie("operand"), space), { minLength: 1, maxLength: 3 }))
    .map(([operator, operands]) => operands.map((parts) => parts.join("")).join(operator)),
})).expression;

const WORDS = /\s+|[\w.]+|"[^"]*"|==|!=|<=|>=|&&|\|\||\.\.|[^]/g;
const piece = fc.oneof(
  fc.constantFrom(
    "=",
    "==",
    "!",
    "&",
    "&&",
    "|",
    "||",
    "(",
    ")",
    "{",
    "}",
    "[",
    "]",
    "<",
    ">",
    "..",
    ".",
    ",",
    ";",
    ":",
    "-",
    "/",
    "//",
    "/*",
    "*/",
    "$",
    "@",
    "$as4",
    "@pg1",
    "$nothing",
    "@nothing",
    '"',
    "\\",
    "0",
    "1",
    "x",
    "0x",
    "tcp",
    "tcp.dst",
    "inport",
    "ip4.src",
    " ",
    "is_chassis_resident",
    "é",
    "\u0001",
  ),
  decimal,
  address,
);

/** An expression with one or two changes: a word or a character that is added, removed, repeated, replaced or swapped. */
export const mutatedExpression: fc.Arbitrary<string> = fc
  .tuple(matchExpression, fc.array(fc.tuple(fc.nat(), fc.nat(4), piece, fc.boolean()), { minLength: 1, maxLength: 2 }))
  .map(([expression, changes]) => changes.reduce((before, change) => changed(before, ...change), expression));

function changed(expression: string, place: number, kind: number, added: string, isOfCharacters: boolean): string {
  const words = isOfCharacters ? [...expression] : (expression.match(WORDS) ?? []);
  const at = words.length === 0 ? 0 : place % words.length;
  const [word = "", next = ""] = words.slice(at, at + 2);
  const instead = [[added, word, next], [next], [word, word, next], [added, next], [next, word]][kind]!;
  return [...words.slice(0, at), ...instead, ...words.slice(at + 2)].join("");
}
