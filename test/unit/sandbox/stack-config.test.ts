import fc from "fast-check";
import { withZones } from "../../../sandbox/stack-config";

const zones = { node1: { northbound: "unix:/tmp/a/nb.sock", southbound: "unix:/tmp/a/sb.sock", openvswitch: "unix:/tmp/a/db.sock" } };
const block = ["  ovn:zones:", "    node1:", '      northbound: "unix:/tmp/a/nb.sock"', '      southbound: "unix:/tmp/a/sb.sock"', '      openvswitch: "unix:/tmp/a/db.sock"'].join("\n");

test("an empty file becomes the zones alone", () => {
  expect(withZones("", zones)).toBe(`config:\n${block}\n`);
});

test("the salt and other settings stay", () => {
  const text = "encryptionsalt: v1:abc=\nconfig:\n  other:a: 1\n  ovn:zones:\n    old:\n      northbound: tcp:1\n      southbound: tcp:2\n  other:b:\n    deep: 2\n";
  expect(withZones(text, zones)).toBe(`encryptionsalt: v1:abc=\nconfig:\n${block}\n  other:a: 1\n  other:b:\n    deep: 2\n`);
});

test("zones at the end of the file are replaced", () => {
  expect(withZones("config:\n  ovn:zones:\n    old: {}\n", zones)).toBe(`config:\n${block}\n`);
});

test("what follows the configuration stays", () => {
  expect(withZones("config:\n  ovn:zones: {}\nencryptionsalt: v1:abc=\n", zones)).toBe(`config:\n${block}\nencryptionsalt: v1:abc=\n`);
});

test("an empty configuration is opened", () => {
  expect(withZones("config: {}\n", zones)).toBe(`config:\n${block}\n`);
});

test("a second time changes nothing", () => {
  const line = fc.constantFrom("  other:a: 1", "  other:b:\n    deep: 1", "  ovn:zones:\n    old:\n      northbound: tcp:1");
  fc.assert(fc.property(fc.uniqueArray(line), fc.boolean(), (lines, salt) => {
    const once = withZones(["config:", ...lines, ...(salt ? ["encryptionsalt: v1:a"] : []), ""].join("\n"), zones);
    expect(withZones(once, zones)).toBe(once);
  }));
});
