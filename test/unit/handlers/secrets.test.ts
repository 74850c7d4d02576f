import { hideSecrets } from "../../../provider/handlers/secrets";

const hidden = (text: string, ...secrets: unknown[]) => hideSecrets(text, { secret: secrets, open: "shown" }, ["secret"]);

it("hides in any case, also those that are patterns, longest first", () => {
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
  expect(hideSecrets("a", { secret: "a" }, [])).toBe("a");
});

it("finds secrets at any depth", () => {
  expect(hidden("a b c", { x: ["a", { y: "c" }] })).toBe("[secret] b [secret]");
});

it("hides a long text as a part of others, escaped, and as the data of a Secret; a short one as a word", () => {
  expect(hidden("xHunter2y, peer-hunter2", "hunter2")).toBe("x[secret]y, peer-[secret]");
  expect(hidden(`said ${JSON.stringify('hunter"2\n')}`, 'hunter"2\n')).toBe('said "[secret]"');
  expect(hidden(`data: ${Buffer.from("hunter2").toString("base64")}`, "hunter2")).toBe("data: [secret]");
  expect(hidden("tables able", "able")).toBe("tables [secret]");
  expect(hidden("10.0.0.1 10.0.0.10", "10.0.0.1")).toBe("[secret] 10.0.0.10");
});

it("hides what is at a path, and not what is beside it", () => {
  const properties = { peers: [{ name: "leaf-one", password: "hunter2" }], "a.b": { password: "third-3" } };
  const text = "leaf-one hunter2 third-3";
  expect(hideSecrets(text, properties, [["peers", "0", "password"]])).toBe("leaf-one [secret] third-3");
  expect(hideSecrets(text, properties, [["a.b", "password"], ["peers"]])).toBe("[secret] [secret] [secret]");
  expect(hideSecrets(text, properties, [["peers", "1", "password"], ["none", "x"], "toString"])).toBe(text);
});
