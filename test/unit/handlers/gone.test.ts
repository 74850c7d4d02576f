import { z } from "zod";
import { ArgumentError, type Kind, type Outputs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { Previous } from "@pulumi-ovn/provider/testing";
import { ResourceHandler } from "@pulumi-ovn/provider/tools";
import { stubBackend } from "../../support/stub-backend";

interface Desired extends Outputs {
  readonly name: string;
}

/** Parts that the target has lost, and requested writes. */
let lost: string[] = [];
let changed: Record<string, string> = {};
let wrote: Previous<Desired>[] = [];
let asked: [before: Desired, desired: Desired][] = [];
let unanswered: string | undefined;
let degraded = false;
let rendered: string[] = [];
beforeEach(() => ([lost, changed, unanswered, wrote, asked, degraded, rendered] = [[], {}, undefined, [], [], false, []]));

const backend = stubBackend<Desired>({
  describe: ({ host }) => `host "${String(host)}"`,
  lines: () => ({ it: "as it is" }),
  digest: ({ name }) => name,
  impact: () => [],
  drift: (_, before, desired) => (asked.push([before, desired]), Promise.resolve({ missing: lost, changed, unanswered })),
  ensure: (_, __, previous) => (wrote.push(previous!), Promise.resolve(degraded ? { properties: { digest: "less" }, warnings: [] } : undefined)),
});
const kind: Kind<{ host: string; name: string; note?: string }, Desired> = {
  name: "It",
  schema: z.strictObject({ host: z.string(), name: z.string(), note: z.string().exactOptional() }),
  outputs: [],
  render: ({ name, note = "" }) => {
    rendered.push(name + note);
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

test("an update without another change restores what was deleted, once, with a warning", async () => {
  const { inputs, outs } = await made();
  expect([asked, wrote.splice(0)]).toEqual([[], [undefined]]);
  lost = ["br0", "br1"];
  const found = await handler.check({ ...request, olds: inputs, news: NEWS });
  expect(found).toEqual({
    inputs: { ...inputs, digest: "drift-a" },
    diagnostics: [{ severity: "warning", path: "host", code: "OVN_WARN_GONE", message: 'br0, br1 are missing from host "h"; the update makes them again' }],
  });
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

test("reports the first of many names", async () => {
  const { inputs } = await made();
  const warningsFor = async (count: number) => {
    lost = Array.from({ length: count }, (_, index) => `t${index + 1}`);
    return (await handler.check({ ...request, olds: inputs, news: NEWS })).diagnostics[0]?.message;
  };
  expect([await warningsFor(5), await warningsFor(7)]).toEqual([
    't1, t2, t3, t4, t5 are missing from host "h"; the update makes them again',
    't1, t2, t3, t4, t5 and 2 more are missing from host "h"; the update makes them again',
  ]);
});

test("uses the back end's result of a write", async () => {
  const { inputs, outs } = await made();
  [lost, degraded] = [["br0"], true];
  const found = await handler.check({ ...request, olds: inputs, news: NEWS });
  expect(found.diagnostics[0]?.message).toBe('br0 is missing from host "h"; the update makes it again');
  expect((await handler.update({ ...request, id: "id", olds: outs, news: found.inputs })).outs["digest"]).toBe("less");
});

test("does not search for a new resource, a moved one, and refused arguments", async () => {
  lost = ["br0"];
  const { inputs } = await made();
  expect((await handler.check({ ...request, olds: inputs, news: { host: "other", name: "a" } })).diagnostics).toEqual([]);
  expect((await handler.check({ ...request, olds: { ...inputs, name: "bad" }, news: NEWS })).diagnostics).toEqual([]);
  expect(asked).toEqual([]);
});

test("also restores what differs", async () => {
  const { inputs, outs } = await made();
  changed = { "Interface t1": "options:remote_ip=192.0.2.9 instead of options:remote_ip=192.0.2.1", "Bridge br0": "does not answer" };
  const found = await handler.check({ ...request, olds: inputs, news: NEWS });
  expect([found.diagnostics, handler.diff({ olds: outs, news: found.inputs }).changes]).toEqual([
    [
      {
        severity: "warning",
        path: "host",
        code: "OVN_WARN_CHANGED",
        message:
          'host "h" is not as the last update left it: Interface t1: options:remote_ip=192.0.2.9 instead of options:remote_ip=192.0.2.1; Bridge br0: does not answer; the update writes all of it again',
      },
    ],
    true,
  ]);
});

test("warns about a part without an answer, which is not drift", async () => {
  const { inputs } = await made();
  unanswered = 'bridge "br0" did not answer within 5 s';
  const warning = { severity: "warning", path: "host", code: "OVN_WARN_SILENT", message: `host "h" is not fully compared: ${unanswered}` };
  expect(await handler.check({ ...request, olds: inputs, news: NEWS })).toEqual({ inputs, diagnostics: [warning] });
});

test("hides the names of a resource with secrets", async () => {
  const { inputs } = await made();
  unanswered = 'bridge "br-secret" did not answer';
  changed = { "Bridge br-secret": "does not answer" };
  lost = ["br-secret"];
  const { diagnostics } = await handler.check({ ...request, secrets: [["name"]], olds: inputs, news: NEWS });
  expect(diagnostics).toMatchObject([
    { code: "OVN_WARN_GONE", message: 'parts of it are missing from host "h"; the update makes them again' },
    { code: "OVN_WARN_CHANGED", message: 'host "h" is not as the last update left it; the update writes all of it again' },
    { code: "OVN_WARN_SILENT", message: 'host "h" is not fully compared' },
  ]);
});

test("renders the last update's state again if arguments differ, even with an equal result", async () => {
  const { inputs } = await made();
  rendered = [];
  await handler.check({ ...request, olds: inputs, news: NEWS });
  expect([rendered.splice(0), asked.splice(0)]).toEqual([["a"], [[{ name: "a" }, { name: "a" }]]]);
  await handler.check({ ...request, olds: inputs, news: { ...NEWS, note: "!" } });
  expect([rendered.splice(0), asked.splice(0)]).toEqual([["a!", "a"], [[{ name: "a" }, { name: "a" }]]]);
  await handler.check({ ...request, olds: inputs, news: { ...NEWS, name: "b" } });
  expect(asked).toEqual([[{ name: "a" }, { name: "b" }]]);
});

test("does so if observed facts have changed and arguments have not", async () => {
  let world = "x";
  const observing: Kind<{ host: string; name: string }, Desired, string> = {
    ...kind,
    survey: undefined,
    observe: () => Promise.resolve(world),
    schema: z.strictObject({ host: z.string(), name: z.string() }),
    render: ({ name }, facts) => ({ name: name + facts }),
  };
  const looking = new ResourceHandler(observing, backend);
  const { inputs } = await looking.check({ ...request, olds: {}, news: NEWS });
  await looking.check({ ...request, olds: inputs, news: NEWS });
  world = "y";
  await looking.check({ ...request, olds: inputs, news: NEWS });
  expect(asked).toEqual([
    [{ name: "ax" }, { name: "ax" }],
    [{ name: "ax" }, { name: "ay" }],
  ]);
});
