import { ClaimBook, type ProgramClaim } from "@pulumi-ovn/provider";

const claim = (holder: string, change: Partial<ProgramClaim> = {}): ProgramClaim => ({
  key: "port p",
  what: "the name p",
  holder,
  path: `at ${holder}`,
  ...change,
});
const claimant = (name: string, ...zones: string[]) => ({ name, zones: new Set(zones) });

describe("simultaneous claims", () => {
  test("of one object are refused for the later claimant", () => {
    const book = new ClaimBook();
    expect(book.enter(claimant("one", "a"), [claim("x"), claim("y"), claim("z", { key: "port q" })])).toEqual([
      { path: "at y", code: "duplicate", message: "the name p is already used by x" },
    ]);
    // In no zone, too: they are of one.
    expect(book.enter(claimant("one"), [claim("x"), claim("y")])).toHaveLength(1);
    // No claim was entered.
    expect(book.enter(claimant("two", "a"), [claim("x")])).toEqual([]);
  });

  test("of one object are accepted with equal or no values, and refused with different ones", () => {
    expect(new ClaimBook().enter(claimant("one", "a"), [claim("x", { says: "1" }), claim("y", { says: "1" }), claim("z", { says: "" })])).toEqual([]);
    expect(new ClaimBook().enter(claimant("one", "a"), [claim("x", { says: "1" }), claim("y", { says: "2" })])).toEqual([
      { path: "at y", code: "disagreement", message: "the name p is 2 here, and 1 for x" },
    ]);
  });

  test("of one side do not conflict, those of two sides do in a common zone", () => {
    const [port, bridge] = ["port", "bridge"].map(
      (side) =>
        (holder: string, ...zones: string[]) =>
          claim(holder, { side, zones: new Set(zones) }),
    ) as [(holder: string, ...zones: string[]) => ProgramClaim, (holder: string, ...zones: string[]) => ProgramClaim];
    const book = new ClaimBook();
    expect(book.enter(claimant("one", "a", "b", "c"), [bridge("x", "a"), port("y", "b"), port("z", "c")])).toEqual([]);
    expect(book.enter(claimant("two", "a", "b", "c"), [bridge("v", "a", "b"), bridge("w", "c")])).toEqual([
      { path: "at v", code: "duplicate", message: "the name p is already used by y of one" },
      { path: "at w", code: "duplicate", message: "the name p is already used by z of one" },
    ]);
    expect(book.enter(claimant("two", "a", "b", "c"), [bridge("v", "a"), port("w", "b", "c")])).toEqual([]);
    expect(new ClaimBook().enter(claimant("one", "a", "b"), [bridge("x", "a", "b"), port("y", "b")])).toEqual([
      { path: "at y", code: "duplicate", message: "the name p is already used by x" },
    ]);
  });

  test("of one claimant may be repeated", () => {
    const book = new ClaimBook();
    for (const attempt of [1, 2]) expect([attempt, book.enter(claimant("one", "a"), [claim("x")])]).toEqual([attempt, []]);
    expect(book.enter(claimant("two", "a", "b"), [claim("y")])).toEqual([
      { path: "at y", code: "duplicate", message: "the name p is already used by x of one" },
    ]);
    expect(book.enter(claimant("three", "b"), [claim("y")])).toEqual([]);
  });
});
