import { didYouMean, nearest } from "@pulumi-ovn/provider/nearest";

it("finds the name for a typo", () => {
  expect(nearest("nodes", ["node1", "subnets", "nodes"])).toBe("nodes");
  expect(nearest("subnet", ["node1", "subnets"])).toBe("subnets");
  expect(nearest("tunnelKeysOfAll", ["tunnelKeyOfAl"])).toBe("tunnelKeyOfAl");
});

it("finds no distant name", () => {
  expect(nearest("abc", ["xyz"])).toBeUndefined();
  expect(nearest("abcdefghi", ["abcdeXXXX"])).toBeUndefined();
  expect(nearest("abcdefghi", ["abcdefXXX"])).toBe("abcdefXXX");
  expect(nearest("abc", [])).toBeUndefined();
});

it("accepts one letter, or two swapped ones, as a typo of a short word", () => {
  expect(nearest("done", ["move"])).toBeUndefined();
  expect(nearest("c", ["a", "b"])).toBeUndefined();
  expect(nearest("h9", ["h1"])).toBe("h1");
  expect(nearest("bleu", ["blue"])).toBe("blue");
  expect(nearest("nodes", ["moves"])).toBe("moves");
});

it("ends a message with a question", () => {
  expect(`no "drian"${didYouMean("drian", ["drain"])}`).toBe('no "drian"; did you mean "drain"?');
  expect(`no "drian"${didYouMean("drian", ["restore"])}`).toBe('no "drian"');
});
