import { isLasting, lasting, onceForEach } from "../../../provider/memo/lasting";

describe("a lasting value", () => {
  it("is the same object, frozen with all that is in it", () => {
    const list = { node1: { addresses: ["10.0.0.1"], id: 2n, zone: null } };
    expect(lasting(list)).toBe(list);
    expect([list, list.node1, list.node1.addresses].every((part) => Object.isFrozen(part) && isLasting(part))).toBe(true);
    expect(() => list.node1.addresses.push("10.0.0.2")).toThrow(TypeError);
  });

  it("is not what somebody else froze, which may hold what changes, before it is made to last", () => {
    const list = Object.freeze({ node1: { id: 2 } });
    expect([list, { id: 2 }, "text", null, undefined].map(isLasting)).toEqual([false, false, false, false, false]);
    lasting(list);
    expect(Object.isFrozen(list.node1)).toBe(true);
  });

  it.each(["text", 1, true, null, undefined])("that is no object is itself: %s", (value) => expect(lasting(value)).toBe(value));
});

describe("once for each", () => {
  function counted() {
    const asked: string[] = [];
    const make = onceForEach(({ id }: { id: number }, text: string): { made: string[] } | undefined => {
      asked.push(`${id} ${text}`);
      if (text === "bad") throw new Error("refused");
      return text === "none" ? undefined : { made: [`${id} ${text}`] };
    });
    return { asked, make };
  }

  it("makes what lasts of an object that lasts, once for each text", () => {
    const { asked, make } = counted();
    const [one, twin] = [lasting({ id: 1 }), lasting({ id: 1 })];
    expect(make(one, "a")).toBe(make(one, "a"));
    expect(isLasting(make(one, "a")!.made)).toBe(true);
    expect([make(one, "b"), make(twin, "a"), make(one, "a")]).toEqual([{ made: ["1 b"] }, { made: ["1 a"] }, { made: ["1 a"] }]);
    expect(asked).toEqual(["1 a", "1 b", "1 a"]);
  });

  it("asks each time about an object that may change, and leaves what it makes of it as it is", () => {
    const { asked, make } = counted();
    const node = { id: 1 };
    expect(isLasting(make(node, "a"))).toBe(false);
    node.id = 2;
    expect([make(node, "a"), make(Object.freeze({ id: 3 }), "a")]).toEqual([{ made: ["2 a"] }, { made: ["3 a"] }]);
    expect(asked).toEqual(["1 a", "2 a", "3 a"]);
  });

  it("asks again about what was refused, and about what nothing was made of", () => {
    const { asked, make } = counted();
    const one = lasting({ id: 1 });
    for (const _time of [1, 2]) expect(() => make(one, "bad")).toThrow("refused");
    for (const _time of [1, 2]) expect(make(one, "none")).toBeUndefined();
    expect(asked).toEqual(["1 bad", "1 bad", "1 none", "1 none"]);
  });
});
