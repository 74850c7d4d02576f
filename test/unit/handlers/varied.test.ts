import fc from "fast-check";
import { varied } from "@pulumi-ovn/provider/testing";

it("changes every letter and digit of the texts at the paths, and no others", () => {
  const args = { name: "plain", peers: [{ password: "Zebra-9z" }, { password: "other" }], "a.b": { token: "käse€" } };
  expect(
    varied(args, [
      ["peers", "0", "password"],
      ["a.b", "token"],
    ]),
  ).toEqual({ name: "plain", peers: [{ password: "Afcsb-0a" }, { password: "other" }], "a.b": { token: "lötfä" } });
});

it("also changes keys inside of a secret", () => {
  expect(varied({ ids: { token: ["word"] } }, ["ids"])).toEqual({ ids: { uplfo: ["xpse"] } });
});

it.each<[string, unknown]>([
  ["a number", 17],
  ["a switch", true],
  ["nothing", null],
  ["a short text", "tcp"],
  ["an address", "10.0.0.1"],
  ["a MAC and an address", "0a:58:00:00:00:01 fd00::1/64"],
  ["a UUID", "8a9d06cf-4cb3-4b52-8ad0-0a12c2a4a2f1"],
  ["signs only", "!!!!!"],
  ["one of these in a list", ["a long text", 5]],
])("does not vary %s: parts of what derives from it could stay the same", (_what, value) => {
  expect(varied({ value, open: "text" }, ["value"])).toBeUndefined();
});

it("returns undefined for paths outside the arguments", () => {
  expect(varied({ open: "text" }, ["members"])).toBeUndefined();
  expect(varied({ open: "text" }, [["open", "deeper"]])).toBeUndefined();
});

it("keeps the form of a name, and no distinctive character", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[A-Za-z0-9_.-]{4,30}$/), (text) => {
      const other = varied({ text }, ["text"])?.text as string | undefined;
      if (other === undefined) return;
      expect(other).toMatch(/^[A-Za-z0-9_.-]{4,30}$/);
      for (const [index, character] of [...text].entries())
        if (/[A-Za-z0-9]/.test(character)) expect(other[index]!.toLowerCase()).not.toBe(character.toLowerCase());
    }),
  );
});
