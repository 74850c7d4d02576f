import * as pulumi from "@pulumi/pulumi";
import { Claims } from "pulumi-ovn/testing";

const mocks: pulumi.runtime.Mocks = { newResource: ({ inputs }) => ({ id: "it", state: inputs }), call: ({ inputs }) => inputs };
const run = () => pulumi.runtime.setMocks(mocks);
const take = (claims: Claims<string>, holder: string, ...keys: string[]) => claims.take(keys, holder, (other) => other === holder);

describe("claims", () => {
  it("are the first one's, who may make them again", async () => {
    await run();
    const claims = new Claims<string>();
    expect(take(claims, "one", "a", "b")).toBeUndefined();
    expect(take(claims, "one", "b", "c")).toBeUndefined();
    expect(take(claims, "two", "d", "c", "a")).toEqual({ key: "c", other: "one" });
  });

  it("are taken all or none", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    expect(take(claims, "two", "b", "a")).toEqual({ key: "a", other: "one" });
    expect(take(claims, "three", "b")).toBeUndefined();
  });

  it("keep their first holder, the one who else counts as the same", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    expect(claims.take(["a"], "two", () => true)).toBeUndefined();
    expect(take(claims, "three", "a")).toEqual({ key: "a", other: "one" });
  });

  it("are apart from those of another kind, and of another run", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    expect(take(new Claims<string>(), "two", "a")).toBeUndefined();
    await run();
    expect(take(claims, "two", "a")).toBeUndefined();
    expect(take(claims, "one", "a")).toEqual({ key: "a", other: "two" });
  });

  it("are a run's also where outputs are known", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    const later = await new Promise((resolve) => pulumi.output(Promise.resolve("a")).apply((key) => resolve(take(claims, "two", key))));
    expect(later).toEqual({ key: "a", other: "one" });
  });
});
