import fc from "fast-check";
import { MatchError, parseMatch } from "@pulumi-ovn/provider";
import { mutatedExpression } from "../../support/match-expressions";

function refusal(text: string, sets?: Parameters<typeof parseMatch>[1]): MatchError | undefined {
  try {
    parseMatch(text, sets);
    return undefined;
  } catch (error) {
    if (error instanceof MatchError) return error;
    throw error;
  }
}

describe("match expressions", () => {
  it.each([
    "1",
    "ip4.src == 10.0.0.0/8 && tcp.dst == {80, 443}",
    "inport == @web && ip4.dst == $clients && !(tcp.dst == 22)",
    '(outport == "a b" || inport == {"x" "y"}) && is_chassis_resident("cr-up")',
    "0 < tcp.dst <= 1023",
    "eth.dst[40] && !ct.est && ct.new // trailing",
    "ip4 /* name */ && ip.proto == 6",
    "eth.src == 0a:00:00:00:00:01/ff:ff:00:00:00:00",
    "ip6.dst == fd00::/8 || ip6.src == ::1",
    "tcp.flags == 0x2/0x12",
    "ip4.dst == ^VIP",
  ])("accept %s", (text) => {
    expect(refusal(text)).toBeUndefined();
  });

  it.each([
    ["tcp.dst = 23", 'column 9: expected ==, !=, <, <=, > or >=, found "="; == compares'],
    ["ip4 && tcp.dest == 23", "column 8: tcp.dest is not a field or predicate; did you mean tcp.dst?"],
    ["TCP", "column 1: TCP is not a field or predicate; did you mean tcp?"],
    ["ip4 && tcp || udp", "column 12: && and || need parentheses when they are used together, as in a && (b || c)"],
    ["ip4.src == 10.0.0.0/33", "column 12: an IPv4 number can't have a decimal mask: expected a prefix length of 0 to 32, or an IPv4 mask"],
    ["ip4.src == fd00::1", "column 12: ip4.src has 32 bits, the constant has 128"],
    ["tcp.dst == {80, 65536}", "column 17: tcp.dst has 16 bits, the constant has 17"],
    ["ip4.src == 10.0.0.256", "column 12: expected a number, or an IPv4, IPv6 or Ethernet address"],
    ['tcp.dst == "http"', "column 12: tcp.dst is compared with numbers, not text"],
    ["inport == 5", "column 11: inport is compared with text in double quotes, or a port group"],
    ["inport == p1", 'column 11: expected a number, an address, text in double quotes, a set in braces, $ADDRESS_SET or @PORT_GROUP, found "p1"'],
    ['inport != "a"', "column 1: inport can only be tested for equality, not for inequality or inside of !"],
    ["!ip4", "column 2: ip4 can't be negated: OVN tests it only positively"],
    ["ip.ttl > 5", "column 1: the nominal ip.ttl can only be compared by == and !="],
    ["tcp.dst > {1, 2}", "column 1: a set can only be compared by == and !="],
    ["!tcp.dst == 5", "column 1: ! needs parentheses around a comparison, as in !(a == b)"],
    ["tcp.dst", "column 1: tcp.dst has 16 bits: compare it, as in tcp.dst != 0"],
    ["tcp.dst[16]", "column 1: tcp.dst has bits 0 to 15, not 16"],
    ["eth.type[0]", "column 1: bits of eth.type can't be selected: it can only be compared as a whole"],
    ["1 < tcp.dst > 5", "column 13: a range is x < field < y or x > field > y; <= and >= can be used, too"],
    ['is_chassis_residnt("a")', "column 1: is_chassis_residnt is not a function; did you mean is_chassis_resident?"],
    ["(ip4", "column 5: expected &&, || or ), found the end"],
    ["ip4)", 'column 4: expected no further ), found ")"'],
    ["", "column 1: expected a field, a predicate, a constant, ! or (, found the end"],
    ["tcp & udp", "column 5: expected &&, found one &"],
    ['inport == "a', "column 11: expected a closing quote"],
    ["ip4 /* \n */", "column 5: expected */ on the same line"],
    ['inport == "🙂" && x', "column 18: x is not a field or predicate"],
    ["icmp4.frag_mtu == 1400", "column 1: icmp4.frag_mtu can only be set by actions: OVN crashes on a match with it"],
  ])("refuse %s: %s", (text, message) => {
    expect(refusal(text)?.message).toBe(message);
  });

  it("report the column, the expected token and the nearest name", () => {
    expect(refusal("ip4 && tcp.dest == 23")).toMatchObject({ code: "OVN_MATCH", column: 8, expected: "a field or predicate", nearest: "tcp.dst" });
    expect(refusal("tcp.dst = 23")).toMatchObject({ column: 9, expected: "==, !=, <, <=, > or >=", nearest: undefined });
  });

  it("accept 100 nested parentheses, as OVN does, and no more", () => {
    const nested = (depth: number) => `${"(".repeat(depth)}ip4${")".repeat(depth)}`;
    expect(refusal(nested(100))).toBeUndefined();
    expect(refusal(nested(101))?.message).toBe("column 101: at most 100 parentheses can be nested");
  });

  it.each([
    ["names", ["web", "db"]],
    ["a set of names", new Set(["web", "db"])],
    ["members", { web: ["10.0.0.1"], db: [] }],
  ])("know sets by %s", (_, sets) => {
    expect(refusal("ip4.src == $web", { addressSets: sets })).toBeUndefined();
    expect(refusal("inport == @db", { portGroups: sets })).toBeUndefined();
    expect(refusal("ip4.src == $wep", { addressSets: sets })).toMatchObject({
      message: "column 12: $wep is not an address set; did you mean $web?",
      nearest: "web",
    });
    expect(refusal('inport == {"a", @dbs}', { portGroups: sets })?.message).toBe("column 17: @dbs is not a port group; did you mean @db?");
  });

  it("check the widths of addresses in a set", () => {
    expect(refusal("ip4.src == {10.0.0.1, $six}", { addressSets: { six: ["10.0.0.2", "fd00::1"] } })?.message).toBe(
      "column 23: ip4.src has 32 bits, the constant has 128",
    );
  });

  it("shorten words above 40 characters", () => {
    expect(refusal("x".repeat(64_000))?.message).toBe(`column 1: ${"x".repeat(40)}... is not a field or predicate`);
  });

  const size = 64 * 1024;
  it.each([
    ["parentheses", "(".repeat(size), 101],
    ["comments", `${"/**/".repeat(size / 4)}&`, size + 1],
    ["open comments", "/* ".repeat(size / 3), 1],
    ["a string without an end", `"${"\\".repeat(size)}`, 1],
    ["dots", "1.".repeat(size / 2), 1],
    ["digits", "9".repeat(size), 1],
    ["hexadecimal digits", "f".repeat(size), 1],
    ["colons", ":".repeat(size), 1],
    ["not", "!".repeat(size), 2],
    ["operands", `${"ip4 && ".repeat(size / 8)}(`, (size / 8) * 7 + 2],
    ["constants", `ip4.src == {${"1.1.1.1 ".repeat(size / 8)}`, size + 13],
    ["templates", `${"^".repeat(size)}`, 1],
    ["a large set, many times", `ip4.src == {${"$large ".repeat(size / 8)}`, (size / 8) * 7 + 13],
  ])("of 64 kB are refused: %s", (_, text, column) => {
    const large = Array.from({ length: 10_000 }, (_, index) => `10.0.${index >> 8}.${index & 255}`);
    expect(refusal(text, { addressSets: { large } })?.column).toBe(column);
  });

  it("are accepted, or refused at a column inside of the text", () => {
    fc.assert(
      fc.property(fc.oneof(mutatedExpression, fc.string({ unit: "binary" })), (text) => {
        const column = refusal(text)?.column ?? 1;
        expect(column).toBeGreaterThanOrEqual(1);
        expect(column).toBeLessThanOrEqual([...text].length + 1);
      }),
      { numRuns: 2000 },
    );
  });
});
