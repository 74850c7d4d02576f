import { sentences } from "@pulumi-ovn/provider/testing";
import { listed } from "@pulumi-ovn/provider/tools";

it.each([
  [[], ""],
  [["a", "b"], "a, b"],
  [["a", "b", "c", "d"], "a, b and 2 more"],
])("names of %j", (names, text) => expect(listed(names, 2)).toBe(text));

it.each([
  [[], ""],
  [["a: x", "b: y"], "a: x; b: y"],
  [["a: x", "b: y", "c: z"], "a: x; b: y; 1 more"],
])("sentences of %j", (all, text) => expect(sentences(all, 2)).toBe(text));
