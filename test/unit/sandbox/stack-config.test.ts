import fc from "fast-check";
import { withTargets } from "@pulumi-ovn/sandbox/testing";

const line = '  ovn:targets: "targets.yaml"';
const named = (text: string) => withTargets(text, "targets.yaml");

test("an empty file becomes the targets only", () => {
  expect(named("")).toBe(`config:\n${line}\n`);
});

test("the salt and other settings stay, zones of an older release are removed", () => {
  const text =
    "encryptionsalt: v1:abc=\nconfig:\n  other:a: 1\n  ovn:zones:\n    old:\n      northbound: tcp:1\n      southbound: tcp:2\n  other:b:\n    deep: 2\n  ovn:targets: old.yaml\n";
  expect(named(text)).toBe(`encryptionsalt: v1:abc=\nconfig:\n${line}\n  other:a: 1\n  other:b:\n    deep: 2\n`);
});

test("zones at the end of the file are replaced", () => {
  expect(named("config:\n  ovn:zones:\n    old: {}\n")).toBe(`config:\n${line}\n`);
});

test("text after the configuration stays", () => {
  expect(named("config:\n  ovn:zones: {}\nencryptionsalt: v1:abc=\n")).toBe(`config:\n${line}\nencryptionsalt: v1:abc=\n`);
});

test("an empty configuration becomes a block", () => {
  expect(named("config: {}\n")).toBe(`config:\n${line}\n`);
});

test("a second call changes nothing", () => {
  const given = fc.constantFrom("  other:a: 1", "  other:b:\n    deep: 1", "  ovn:zones:\n    old:\n      northbound: tcp:1", "  ovn:targets: x");
  fc.assert(
    fc.property(fc.uniqueArray(given), fc.boolean(), (lines, salt) => {
      const once = named(["config:", ...lines, ...(salt ? ["encryptionsalt: v1:a"] : []), ""].join("\n"));
      expect(named(once)).toBe(once);
    }),
  );
});
