import { ClaimBook, type ProgramClaim } from "../../../provider/topology/claims";

const claim = (holder: string, change: Partial<ProgramClaim> = {}): ProgramClaim => ({
  key: "port p",
  what: "the name p",
  holder,
  path: `at ${holder}`,
  ...change,
});
const claimant = (name: string, ...zones: string[]) => ({ name, zones: new Set(zones) });

describe("claims that come together", () => {
  test("only one of them may have a thing: the failure is the later one's", () => {
    const book = new ClaimBook();
    expect(book.enter(claimant("one", "a"), [claim("x"), claim("y"), claim("z", { key: "port q" })])).toEqual([
      { path: "at y", code: "duplicate", message: "the name p belongs to x already" },
    ]);
    // None of them was entered.
    expect(book.enter(claimant("two", "a"), [claim("x")])).toEqual([]);
  });

  test("those that say the same, or nothing against it, get along; those that say otherwise do not", () => {
    expect(new ClaimBook().enter(claimant("one", "a"), [claim("x", { says: "1" }), claim("y", { says: "1" }), claim("z", { says: "" })])).toEqual([]);
    expect(new ClaimBook().enter(claimant("one", "a"), [claim("x", { says: "1" }), claim("y", { says: "2" })])).toEqual([
      { path: "at y", code: "disagreement", message: "the name p is 2 here, and 1 for x" },
    ]);
  });

  test("a claimant says again what it has said before", () => {
    const book = new ClaimBook();
    for (const attempt of [1, 2]) expect([attempt, book.enter(claimant("one", "a"), [claim("x")])]).toEqual([attempt, []]);
    expect(book.enter(claimant("two", "a", "b"), [claim("y")])).toEqual([
      { path: "at y", code: "duplicate", message: "the name p belongs to x of one already" },
    ]);
    expect(book.enter(claimant("three", "b"), [claim("y")])).toEqual([]);
  });
});
