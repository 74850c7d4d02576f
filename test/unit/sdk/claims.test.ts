import * as pulumi from "@pulumi/pulumi";
import { Claims } from "pulumi-ovn/testing";

const mocks: pulumi.runtime.Mocks = { newResource: ({ inputs }) => ({ id: "it", state: inputs }), call: ({ inputs }) => inputs };
const run = () => pulumi.runtime.setMocks(mocks);
const take = (claims: Claims<string>, holder: string, ...keys: string[]) => claims.take(keys, holder, (other) => other === holder);

describe("claims", () => {
  it("belong to the first holder, who may repeat them", async () => {
    await run();
    const claims = new Claims<string>();
    expect(take(claims, "one", "a", "b")).toBeUndefined();
    expect(take(claims, "one", "b", "c")).toBeUndefined();
    expect(take(claims, "two", "d", "c", "a")).toEqual({ key: "c", other: "one" });
  });

  it("are all taken or none", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    expect(take(claims, "two", "b", "a")).toEqual({ key: "a", other: "one" });
    expect(take(claims, "three", "b")).toBeUndefined();
  });

  it("keep their first holder, also after an equal claim of another holder", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    expect(claims.take(["a"], "two", () => true)).toBeUndefined();
    expect(take(claims, "three", "a")).toEqual({ key: "a", other: "one" });
  });

  it("of another kind, and of another run, are separate", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    expect(take(new Claims<string>(), "two", "a")).toBeUndefined();
    await run();
    expect(take(claims, "two", "a")).toBeUndefined();
    expect(take(claims, "one", "a")).toEqual({ key: "a", other: "two" });
  });

  it("belong to a run also when outputs become known later", async () => {
    await run();
    const claims = new Claims<string>();
    take(claims, "one", "a");
    const later = await new Promise((resolve) => pulumi.output(Promise.resolve("a")).apply((key) => resolve(take(claims, "two", key))));
    expect(later).toEqual({ key: "a", other: "one" });
  });
});
