import { memo } from "@pulumi-ovn/provider/agent";

describe("by text", () => {
  const counted = (most: number) => {
    const asked: string[] = [];
    const make = (text: string): string | undefined => {
      asked.push(text);
      if (text === "bad") throw new Error("refused");
      return text === "" ? undefined : `made of ${text}`;
    };
    return { asked, get: memo(most, make) };
  };

  it("makes a value once, until the limit of stored values is reached", () => {
    const { asked, get } = counted(2);
    expect([get("a"), get("b"), get("a")]).toEqual(["made of a", "made of b", "made of a"]);
    expect(asked).toEqual(["a", "b"]);
    get("c");
    expect([get("c"), get("a")]).toEqual(["made of c", "made of a"]);
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
  const get = memo((object: { readonly n: number }) => {
    asked.push(object);
    return [object.n];
  });
  const one = { n: 1 };
  expect(get(one)).toBe(get(one));
  expect(get({ n: 1 })).toEqual([1]);
  expect(asked).toHaveLength(2);
});

test("by object: a stored value is returned for its object only", () => {
  const get = memo(({ n }: { readonly n: number }) => [n]);
  const [one, value] = [{ n: 1 }, [2]];
  get.know(one, value);
  expect(get(one)).toBe(value);
  expect(get({ n: 1 })).toEqual([1]);
});
