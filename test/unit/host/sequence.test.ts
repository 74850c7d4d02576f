import { nextUpdate } from "../../../provider/host/sequence";

const host = (sequence: number, succeeds = "") => ({ sequence, succeeds, bridges: new Map() });

test.each([
  ["nothing is there, and nothing is known", host(0), undefined, { sequence: 1, succeeds: "" }],
  ["the state is lost", host(4, "r3"), undefined, { sequence: 5, succeeds: "" }],
  ["the host has what the state knows", host(4, "r3"), { sequence: 4, revision: "r4" }, { sequence: 5, succeeds: "r4" }],
  ["the bridges were made again", host(0), { sequence: 4, revision: "r4" }, { sequence: 5, succeeds: "r4" }],
  ["bridges of an older one came back", host(2, "r1"), { sequence: 4, revision: "r4" }, { sequence: 5, succeeds: "r4" }],
  ["a release without numbers wrote it", host(0), { revision: "r" }, { sequence: 1, succeeds: "r" }],
] as const)("%s: an update like any other", (_case, applied, state, next) => {
  expect(nextUpdate(applied, state)).toEqual({ ...next, warnings: [] });
});

test("the host has an update that began from this state: it is written over, with a warning", () => {
  const { warnings, ...next } = nextUpdate(host(7, "r4"), { sequence: 4, revision: "r4" });
  expect(next).toEqual({ sequence: 8, succeeds: "r4" });
  expect(warnings).toEqual([
    {
      path: "",
      code: "OVN_WARN_SEQUENCE",
      message: expect.stringMatching(/^the host has update 7 of this resource, the state knows of 4: .*; update 8 is written over it$/),
    },
  ]);
});

test.each([
  ["an update that began from another state", host(5, "r9"), { sequence: 4, revision: "r4" }, "5 of this resource, the state knows of 4"],
  ["numbers, and the state is one of a release without", host(3, "r2"), { revision: "r1" }, "3 of this resource, the state knows of 0"],
  ["a create whose state was saved", host(2, ""), { sequence: 1, revision: "r1" }, "2 of this resource, the state knows of 1"],
] as const)("the host has %s: refused", (_case, applied, state, text) => {
  expect(() => nextUpdate(applied, state)).toThrow(
    expect.objectContaining({ code: "OVN_SEQUENCE", message: expect.stringContaining(`the host has update ${text}: `) as string }),
  );
});
