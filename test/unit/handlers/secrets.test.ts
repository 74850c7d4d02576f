import { hideSecrets } from "../../../provider/handlers/secrets";

const hidden = (text: string, ...secrets: unknown[]) => hideSecrets(text, { redact: ["secret"], secret: secrets, open: "shown" });

it("hides whole words in any case, also those that are patterns, longest first", () => {
  expect(hidden("mac 0a:58:AA:00:00:01 of 0A:58:aa:00:00:01 shown", "0a:58:aa:00:00:01")).toBe("mac [secret] of [secret] shown");
  expect(hidden("pass.word, pass word", "pass.word")).toBe("[secret], pass word");
  expect(hidden("ab-cd ab", "ab", "ab-cd")).toBe("[secret] [secret]");
});

it("hides the address of one with a prefix length, and no parts of other texts", () => {
  expect(hidden("10.0.0.0 is the first address of 10.0.0.0/8", "10.0.0.0/8")).toBe("[secret] is the first address of [secret]");
  expect(hidden("a of a/8", "a/8x")).toBe("a of a/8");
});

it("leaves a number that is a part of another one, and what is no secret", () => {
  expect(hidden("17 117 170 x17 17x", 17)).toBe("[secret] 117 170 x17 17x");
  expect(hidden("nothing true", "", true, null)).toBe("nothing true");
  expect(hideSecrets("a", { secret: "a" })).toBe("a");
});

it("finds secrets at any depth", () => {
  expect(hidden("a b c", { x: ["a", { y: "c" }] })).toBe("[secret] b [secret]");
});
