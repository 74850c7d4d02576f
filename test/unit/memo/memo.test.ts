import fc from "fast-check";
import { byObject, byText } from "@pulumi-ovn/provider/agent";
import { byLikeness, byPlace, joiner } from "@pulumi-ovn/provider/testing";

describe("by text", () => {
  const counted = (most: number) => {
    const asked: string[] = [];
    const make = (text: string): string | undefined => {
      asked.push(text);
      if (text === "bad") throw new Error("refused");
      return text === "" ? undefined : `made of ${text}`;
    };
    return { asked, get: byText(most, make) };
  };

  it("makes a value once, until the limit of stored values is reached", () => {
    const { asked, get } = counted(2);
    expect([get("a"), get("b"), get("a")]).toEqual(["made of a", "made of b", "made of a"]);
    expect(asked).toEqual(["a", "b"]);
    get("c");
    expect([get("c"), get("a")]).toEqual(["made of c", "made of a"]);
    expect(asked).toEqual(["a", "b", "c", "a"]);
  });

  it("forgets the oldest first", () => {
    const { asked, get } = counted(2);
    for (const text of ["a", "b", "c", "b", "a"]) get(text);
    expect(asked).toEqual(["a", "b", "c", "a"]);
  });

  it("calls the function again after an error and after undefined", () => {
    const { asked, get } = counted(2);
    expect(() => get("bad")).toThrow("refused");
    expect(() => get("bad")).toThrow("refused");
    expect([get(""), get("")]).toEqual([undefined, undefined]);
    expect(asked).toEqual(["bad", "bad", "", ""]);
  });
});

it("by object: once for each object, also for equal objects", () => {
  const asked: object[] = [];
  const get = byObject((object: { readonly n: number }) => {
    asked.push(object);
    return [object.n];
  });
  const one = { n: 1 };
  expect(get(one)).toBe(get(one));
  expect(get({ n: 1 })).toEqual([1]);
  expect(asked).toHaveLength(2);
});

test("by object: a stored value is returned for its object only", () => {
  const get = byObject(({ n }: { readonly n: number }) => [n]);
  const [one, value] = [{ n: 1 }, [2]];
  get.know(one, value);
  expect(get(one)).toBe(value);
  expect(get({ n: 1 })).toEqual([1]);
});

test("by likeness: once for each content, until the limit of stored values is reached; again after an error", () => {
  const asked: string[] = [];
  const get = byLikeness(
    2,
    (one: readonly string[], other: readonly string[]) => one.join() === other.join(),
    (key) => {
      asked.push(key.join());
      if (key.length === 0) throw new Error("refused");
      return [...key, "made"];
    },
  );
  expect(get(["a"])).toBe(get(["a"]));
  expect(get(["b"])).toEqual(["b", "made"]);
  expect(() => get([])).toThrow("refused");
  expect(() => get([])).toThrow("refused");
  get(["a"]);
  get(["c"]);
  for (const key of ["b", "a", "c"]) get([key]);
  expect(asked).toEqual(["a", "b", "", "", "c", "a"]);
});

test("by place: the function is called again only for items that differ from the item at their position before", () => {
  const asked: string[] = [];
  const get = byPlace((item: string) => {
    asked.push(item);
    return item === "nothing" ? undefined : [item];
  });
  const first = get(["a", "b", "nothing"]);
  expect(first).toEqual([["a"], ["b"], undefined]);
  const second = get(["a", "c", "nothing", "b"]);
  expect([second, second[0] === first[0]]).toEqual([[["a"], ["c"], undefined, ["b"]], true]);
  expect(get(["b"])).toEqual([["b"]]);
  expect(get(["b", undefined as never])).toEqual([["b"], [undefined]]);
  expect(asked).toEqual(["a", "b", "nothing", "c", "b", "b", undefined]);
});

test("by place: the function gets the value at the position before, and a comparison decides which items are equal", () => {
  const given: [string, string | undefined][] = [];
  const get = byPlace<string, string>(
    (item, before) => {
      given.push([item, before]);
      return item.toUpperCase();
    },
    (one, other) => one[0] === other[0],
  );
  expect(get(["a1", "b1"])).toEqual(["A1", "B1"]);
  expect(get(["a2", "c1", "d1"])).toEqual(["A1", "C1", "D1"]);
  expect(given).toEqual([
    ["a1", undefined],
    ["b1", undefined],
    ["c1", "B1"],
    ["d1", undefined],
  ]);
});

test("joined texts are those of `join`, whatever lists came before", () => {
  const text = fc.constantFrom("a", "b", "", undefined);
  const change = fc.record({ at: fc.nat(399), remove: fc.nat(150), add: fc.array(text, { maxLength: 150 }) });
  fc.assert(
    fc.property(fc.array(text, { maxLength: 400 }), fc.array(change, { maxLength: 4 }), (first, changes) => {
      const join = joiner("; ");
      const texts = [...first];
      expect(join(texts)).toBe(texts.join("; "));
      for (const { at, remove, add } of changes) {
        texts.splice(at, remove, ...add);
        expect(join(texts)).toBe(texts.join("; "));
      }
    }),
  );
});

test("the beginning is there once, and not for an empty list", () => {
  const join = joiner(" > ", "# ");
  const texts = Array.from({ length: 250 }, (_, index) => `text ${index}`);
  for (const list of [texts, texts, ["other", ...texts], [], ["one"]]) expect(join(list)).toBe(list.length === 0 ? "" : `# ${list.join(" > ")}`);
});

test.each([99, 100, 101, 200])("%d texts and one that changes are joined as by `join`", (count) => {
  const join = joiner(", ");
  const texts = Array.from({ length: count }, (_, index) => `text ${index}`);
  for (const at of [0, count - 1, 99, 0]) {
    texts[at] = `${texts[at]}!`;
    expect(join(texts)).toBe(texts.join(", "));
  }
  expect([join([]), join([""]), join(["", ""])]).toEqual(["", "", ", "]);
});
