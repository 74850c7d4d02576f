import { z } from "zod";
import { ArgumentError, type Kind, type Outputs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Previous } from "@pulumi-ovn/provider/testing";
import { ResourceHandler } from "@pulumi-ovn/provider/tools";
import { stubBackend } from "../../support/stub-backend";

interface Desired extends Outputs {
  readonly name: string;
}

let wrote: (Previous<Desired> | undefined)[] = [];
let removed: Desired[] = [];
beforeEach(() => ([wrote, removed] = [[], []]));

const backend = stubBackend<Desired>({
  digest: ({ name }) => name,
  read: (_, { name }) => Promise.resolve({ lines: {}, digest: name, drift: {} }),
  remove: (_, desired) => Promise.resolve(void removed.push(desired!)),
  ensure: (_, __, previous) => Promise.resolve(void wrote.push(previous)),
});
const refuse = (message: string): never => {
  throw new ArgumentError([{ path: "name", code: "bad", message }]);
};
const kind: Kind<{ host: string; name: string }, Desired> = {
  name: "It",
  schema: z.strictObject({ host: z.string(), name: z.string() }),
  outputs: [],
  judge: ({ name }) => void (name === "odd" && refuse("judged")),
  render: ({ name }) => (name === "bad" ? refuse("rendered") : { name }),
};
const request = { urn: "urn", secrets: [], targets: new Connections({}), id: "id" };
const state = (name: string) => ({ host: "h", name, digest: name, revision: "1" });
const handler = new ResourceHandler(kind, backend);

describe("arguments that only today's release refuses", () => {
  it("are refused in a check", async () => {
    const { diagnostics } = await handler.check({ ...request, olds: {}, news: { host: "h", name: "odd" } });
    expect(diagnostics).toEqual([{ severity: "error", path: "name", code: "bad", message: "judged" }]);
  });

  it("can be read, changed and removed in a state", async () => {
    expect(await handler.read({ ...request, olds: state("odd") })).toMatchObject({ props: { name: "odd", digest: "odd" } });
    await handler.update({ ...request, olds: state("odd"), news: state("good") });
    await handler.delete({ ...request, olds: state("odd") });
    expect([wrote, removed]).toEqual([[{ desired: { name: "odd" }, unchanged: true, properties: state("odd") }], [{ name: "odd" }]]);
  });
});

describe("a state that can't be rendered", () => {
  it("is updated as if the written rows were unknown", async () => {
    await handler.update({ ...request, olds: state("bad"), news: state("good") });
    expect(wrote).toEqual([{ desired: undefined, unchanged: false, properties: state("bad") }]);
  });

  it("is removed by its kind; without a known kind it is not removed", async () => {
    await expect(handler.delete({ ...request, olds: state("bad") })).rejects.toMatchObject({ message: expect.stringContaining("rendered") });
    const knowing = new ResourceHandler<{ host: string; name: string }, Desired>({ ...kind, remains: ({ host }) => ({ name: `all on ${host}` }) }, backend);
    await knowing.delete({ ...request, olds: state("bad") });
    expect(removed).toEqual([{ name: "all on h" }]);
  });
});
