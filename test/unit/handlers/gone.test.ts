import { z } from "zod";
import { ArgumentError } from "../../../provider/arguments/errors";
import type { Backend, Previous } from "../../../provider/backend";
import { ResourceHandler } from "../../../provider/handlers/resource-handler";
import type { Kind, Outputs } from "../../../provider/kind";
import { Connections } from "../../../provider/targets";

interface Desired extends Outputs {
  readonly name: string;
}

/** What the target has lost, and what it was asked to write. */
let lost: string[] = [];
let wrote: Previous<Desired>[] = [];
let asked: [before: Desired, desired: Desired][] = [];
let degraded = false;
beforeEach(() => ([lost, wrote, asked, degraded] = [[], [], [], false]));

const backend: Backend<Desired> = {
  target: "host", arguments: [], located: [], unknown: {},
  failures: () => [], describe: ({ host }) => `host "${String(host)}"`, lines: () => ({ it: "as it is" }), hide: (desired) => desired, digest: ({ name }) => name, impact: () => [], id: () => "id",
  locate: () => Promise.resolve({}), read: () => Promise.resolve(undefined), remove: () => Promise.resolve(),
  gone: (_, before, desired) => (asked.push([before, desired]), Promise.resolve(lost)),
  ensure: (_, __, previous) => (wrote.push(previous!), Promise.resolve(degraded ? { properties: { digest: "less" }, warnings: [] } : undefined)),
};
const kind: Kind<{ host: string; name: string }, Desired> = {
  name: "It",
  schema: z.strictObject({ host: z.string(), name: z.string() }),
  outputs: [],
  render: ({ name }) => {
    if (name === "bad") throw new ArgumentError([{ path: "name", code: "bad", message: "bad" }]);
    return { name };
  },
};
const handler = new ResourceHandler(kind, backend);
const request = { urn: "urn", secrets: [], targets: new Connections({}) };
const NEWS = { host: "h", name: "a" };

async function made() {
  const { inputs } = await handler.check({ ...request, olds: {}, news: NEWS });
  return { inputs, outs: (await handler.create({ ...request, news: inputs })).outs };
}

test("what is gone is written again by an update without another change, once, with a warning", async () => {
  const { inputs, outs } = await made();
  expect([asked, wrote.splice(0)]).toEqual([[], [undefined]]);
  lost = ["br0", "br1"];
  const found = await handler.check({ ...request, olds: inputs, news: NEWS });
  expect(found).toEqual({ inputs: { ...inputs, digest: "gone-a" }, diagnostics: [{ severity: "warning", path: "host", code: "OVN_WARN_GONE", message: 'br0, br1 are gone from host "h"; the update makes them again' }] });
  expect([asked, handler.diff({ olds: outs, news: found.inputs }).changes]).toEqual([[[{ name: "a" }, { name: "a" }]], true]);
  const again = await handler.update({ ...request, id: "id", olds: outs, news: found.inputs });
  // Nothing is taken for granted.
  expect(wrote).toMatchObject([{ desired: { name: "a" }, unchanged: false }]);
  lost = [];
  const next = await handler.check({ ...request, olds: found.inputs, news: NEWS });
  expect([next.diagnostics, again.outs["digest"], handler.diff({ olds: again.outs, news: next.inputs }).changes]).toEqual([[], "a", false]);
  await handler.update({ ...request, id: "id", olds: again.outs, news: next.inputs });
  expect(wrote[1]).toMatchObject({ unchanged: true });
});

test("what the back end says of a write holds", async () => {
  const { inputs, outs } = await made();
  [lost, degraded] = [["br0"], true];
  const found = await handler.check({ ...request, olds: inputs, news: NEWS });
  expect(found.diagnostics[0]?.message).toBe('br0 is gone from host "h"; the update makes it again');
  expect((await handler.update({ ...request, id: "id", olds: outs, news: found.inputs })).outs["digest"]).toBe("less");
});

test("a new resource, one that moves, and arguments that are refused today are not looked for", async () => {
  lost = ["br0"];
  const { inputs } = await made();
  expect((await handler.check({ ...request, olds: inputs, news: { host: "other", name: "a" } })).diagnostics).toEqual([]);
  expect((await handler.check({ ...request, olds: { ...inputs, name: "bad" }, news: NEWS })).diagnostics).toEqual([]);
  expect(asked).toEqual([]);
});

test("names of a resource with secrets are not told", async () => {
  const { inputs } = await made();
  lost = ["br-secret"];
  const { diagnostics } = await handler.check({ ...request, secrets: [["name"]], olds: inputs, news: NEWS });
  expect(diagnostics).toMatchObject([{ code: "OVN_WARN_GONE", message: 'parts of it are gone from host "h"; the update makes them again' }]);
});
