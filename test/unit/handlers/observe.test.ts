import { z } from "zod";
import { ArgumentError, type Kind, type Outputs } from "@pulumi-ovn/provider";
import { Connections } from "@pulumi-ovn/provider/targets";
import type { CheckRequest, Previous } from "@pulumi-ovn/provider/testing";
import { handlers, type Properties, ResourceHandler, UNKNOWN } from "@pulumi-ovn/provider/tools";
import { stubBackend } from "../../support/stub-backend";

interface Desired extends Outputs {
  readonly lines: Record<string, string>;
}
type Args = { place: string; prefix: string };
type Facts = { nodes: Record<string, string> };

/** Observed facts: nodes by name, or the error of the observation. */
let liveFacts: Facts | Error;
let written: { lines: Record<string, string>; previous: Previous<Desired> | undefined }[];
let removed: Desired[];
beforeEach(() => {
  liveFacts = { nodes: { node1: "10.0.1.0/24" } };
  [written, removed] = [[], []];
});

const kind: Kind<Args, Desired, Facts> = {
  name: "Routes",
  schema: z.strictObject({ place: z.string(), prefix: z.string() }),
  observe: async (_args, { targets }) => {
    expect([TARGETS, ELSEWHERE]).toContain(targets);
    if (liveFacts instanceof Error) throw liveFacts;
    return structuredClone(liveFacts);
  },
  render: ({ prefix }, { nodes }) => {
    if (Object.keys(nodes).length === 0) throw ArgumentError.of("prefix", "required", "no node");
    return {
      lines: Object.fromEntries(Object.entries(nodes).map(([node, subnet]) => [`${prefix} ${node}`, subnet])),
      outputs: { count: Object.keys(nodes).length },
    };
  },
  outputs: ["count"],
};

const backend = stubBackend<Desired>({
  target: "place",
  describe: ({ place }) => `place "${String(place)}"`,
  lines: ({ lines }) => lines,
  hide: (desired, twin) => ({
    ...desired,
    lines: Object.fromEntries(Object.entries(desired.lines).map(([label, text]) => [label, twin.lines[label] === text ? text : "[secret]"])),
  }),
  digest: ({ lines }) => JSON.stringify(lines),
  impact: (before, after) => [{ path: "", code: "moved", message: `${JSON.stringify(before.lines)} to ${JSON.stringify(after.lines)}` }],
  read: (_subject, { lines }) => {
    const live = written.at(-1)?.lines;
    const drift = Object.fromEntries(Object.keys(lines).flatMap((label) => (live?.[label] === lines[label] ? [] : [[label, "missing"]])));
    return Promise.resolve(live && { lines: live, digest: Object.keys(drift).length === 0 ? JSON.stringify(lines) : "drifted", drift });
  },
  ensure: (_subject, { lines }, previous) => Promise.resolve(void written.push({ lines, previous })),
  remove: (_subject, desired) => Promise.resolve(void removed.push(desired!)),
});

const [TARGETS, ELSEWHERE] = [new Connections({}), new Connections({})];
const request = { urn: "urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:Routes::r", secrets: [] as string[], targets: TARGETS };
const handler = new ResourceHandler(kind, backend);
const NEWS = { place: "here", prefix: "route" };
const check = async (olds: Properties = {}, news: Properties = NEWS) => handler.check({ ...request, olds, news });
const unreachable = () => Object.assign(new Error("connection refused"), { code: "OVSDB_CONNECTION" });
const created = async () => {
  const { inputs } = await check();
  return { inputs, outs: (await handler.create({ ...request, news: inputs })).outs };
};

it("renders observed facts, shows them, and keeps them in inputs and outputs", async () => {
  const { inputs, diagnostics } = await check();
  expect(diagnostics).toEqual([]);
  expect(inputs).toEqual({
    ...NEWS,
    observed: { nodes: { node1: "10.0.1.0/24" } },
    rows: { "route node1": "10.0.1.0/24" },
    digest: '{"route node1":"10.0.1.0/24"}',
    count: 1,
  });
  const { outs } = await handler.create({ ...request, news: inputs });
  expect(outs).toEqual({ ...NEWS, observed: { nodes: { node1: "10.0.1.0/24" } }, digest: inputs.digest, count: 1, revision: expect.any(String) });
  expect(written).toEqual([{ lines: { "route node1": "10.0.1.0/24" }, previous: undefined }]);
});

it("writes by the facts of the check, and knows the earlier ones", async () => {
  const { inputs, outs } = await created();
  liveFacts = { nodes: { node1: "10.0.1.0/24", node2: "10.0.2.0/24" } };
  const next = await check(inputs);
  expect(next.diagnostics.map(({ code, message }) => [code, message])).toEqual([
    ["moved", '{"route node1":"10.0.1.0/24"} to {"route node1":"10.0.1.0/24","route node2":"10.0.2.0/24"}'],
  ]);
  expect(handler.diff({ olds: outs, news: next.inputs })).toEqual({ changes: true, replaces: [], deleteBeforeReplace: false });
  liveFacts = new Error("nobody looks again");
  await handler.update({ ...request, id: "id", olds: outs, news: next.inputs });
  expect(written[1]).toEqual({
    lines: { "route node1": "10.0.1.0/24", "route node2": "10.0.2.0/24" },
    previous: { desired: { lines: { "route node1": "10.0.1.0/24" }, outputs: { count: 1 } }, unchanged: true, properties: outs },
  });
  await handler.delete({ ...request, id: "id", olds: outs });
  expect(removed.map(({ lines }) => lines)).toEqual([{ "route node1": "10.0.1.0/24" }]);
});

it("uses the facts of the last update if the target can't be observed, and warns", async () => {
  const { inputs, outs } = await created();
  liveFacts = unreachable();
  const again = await check(inputs, { ...NEWS, prefix: "path" });
  expect(again.inputs).toMatchObject({ observed: { nodes: { node1: "10.0.1.0/24" } }, observedEarlier: true, rows: { "path node1": "10.0.1.0/24" } });
  expect(again.diagnostics[0]).toEqual({
    severity: "warning",
    path: "",
    code: "OVN_WARN_OBSERVED_EARLIER",
    message: 'place "here" can\'t be read now, so the preview uses the facts of the last update: connection refused',
  });
  expect(handler.diff({ olds: outs, news: (await check(inputs)).inputs }).changes).toBe(false);
});

describe("outputs that depend only on the target", () => {
  let seen: string | Error;
  const looking = new ResourceHandler<Args, Desired, Facts>(
    {
      ...kind,
      outputs: ["count", "found"],
      survey: {
        unseen: { found: "nothing" },
        look: ({ prefix }, { nodes }, { targets }) => {
          expect(targets).toBe(TARGETS);
          return seen instanceof Error ? Promise.reject(seen) : Promise.resolve({ found: `${seen} of ${prefix} ${Object.keys(nodes).join()}`, count: 9 });
        },
      },
    },
    backend,
  );
  const checkedBy = async (olds: Properties) => (await looking.check({ ...request, olds, news: NEWS })).inputs;
  const ofUpdate = async (olds: Properties) => (await looking.update({ ...request, id: "id", olds, news: await checkedBy(olds) })).outs;

  it("are read by creates, updates and refreshes, not by checks", async () => {
    seen = "one";
    const inputs = await checkedBy({});
    expect([inputs.found, inputs.count]).toEqual([undefined, 1]);
    const { outs } = await looking.create({ ...request, news: inputs });
    expect([outs.found, outs.count]).toEqual(["one of route node1", 9]);
    seen = "two";
    const again = await checkedBy(outs);
    expect([again.found, looking.diff({ olds: outs, news: again }).changes]).toEqual([undefined, false]);
    const read = (await looking.read({ ...request, id: "id", olds: outs }))!;
    // It changes the inputs that a check creates.
    expect([read.props.found, read.props.count, read.inputs!.found, read.inputs!.count]).toEqual(["two of route node1", 9, undefined, 1]);
    seen = "three";
    expect((await ofUpdate(read.props)).found).toBe("three of route node1");
  });

  it("stay if the target can't be observed", async () => {
    seen = unreachable();
    const { outs } = await looking.create({ ...request, news: await checkedBy({}) });
    expect([outs.found, outs.count]).toEqual(["nothing", 1]);
    expect([
      (await ofUpdate({ ...outs, found: "before" })).found,
      (await looking.read({ ...request, id: "id", olds: { ...outs, found: "before" } }))!.props.found,
    ]).toEqual(["before", "before"]);
    seen = new Error("wrong for good");
    await expect(looking.read({ ...request, id: "id", olds: outs })).rejects.toThrow("wrong for good");
  });

  it.each([
    ["can't be reached", unreachable()],
    ["is wrong for good", new Error("no such column")],
  ])("do not fail a finished write if the target %s: they stay, with a warning", async (_, failure) => {
    seen = failure;
    const warning = {
      severity: "warning",
      path: "",
      code: "OVN_WARN_OUTPUTS_EARLIER",
      message: `place "here" has been written to, but found could not be read afterwards and stays as it was: ${failure.message}`,
    };
    const news = await checkedBy({});
    const made = await looking.create({ ...request, news });
    expect(made).toEqual({
      id: "id",
      outs: { ...NEWS, observed: liveFacts, digest: news.digest, count: 1, found: "nothing", revision: expect.any(String) },
      diagnostics: [warning],
    });
    const olds = { ...made.outs, found: "before" };
    const changed = await looking.update({ ...request, id: "id", olds, news: await checkedBy(olds) });
    expect([changed.outs.found, changed.diagnostics, written.length]).toEqual(["before", [warning], 2]);
    seen = "one";
    expect((await looking.update({ ...request, id: "id", olds, news: await checkedBy(olds) })).diagnostics).toBeUndefined();
  });
});

it("leaves a new resource unknown if the target can't be observed", async () => {
  liveFacts = unreachable();
  await expect(check()).resolves.toMatchObject({
    diagnostics: [{ severity: "error", path: "place", code: "OVSDB_CONNECTION", message: "connection refused" }],
  });
  const { inputs, diagnostics } = await handler.check({ ...request, olds: {}, news: NEWS, preview: true });
  expect(inputs).toEqual({ ...NEWS, observed: UNKNOWN, observedEarlier: true, rows: UNKNOWN, digest: UNKNOWN });
  expect(diagnostics).toEqual([
    {
      severity: "warning",
      path: "",
      code: "OVN_WARN_OBSERVED_EARLIER",
      message: 'place "here" can\'t be read now, so what would be written is not known yet: connection refused',
    },
  ]);
  await expect(handler.create({ ...request, news: inputs })).rejects.toMatchObject({
    code: "OVSDB_CONNECTION",
    message: 'OVSDB_CONNECTION: Routes "r" in place "here": connection refused',
  });
  liveFacts = { nodes: { node1: "10.0.1.0/24" } };
  await expect(handler.create({ ...request, news: inputs })).rejects.toMatchObject({ code: "OVN_OBSERVED" });
  expect(written).toEqual([]);
});

it("writes nothing by earlier facts that have changed, and writes by earlier facts that are still true", async () => {
  const { inputs, outs } = await created();
  liveFacts = unreachable();
  const { inputs: news } = await check(inputs, { ...NEWS, prefix: "path" });
  await expect(handler.update({ ...request, id: "id", olds: outs, news })).rejects.toMatchObject({ code: "OVSDB_CONNECTION" });
  liveFacts = { nodes: { node2: "10.0.2.0/24" } };
  await expect(handler.update({ ...request, id: "id", olds: outs, news })).rejects.toMatchObject({
    code: "OVN_OBSERVED",
    message:
      'OVN_OBSERVED: Routes "r" in place "here": it could not be read when this update began, and it is not what the preview went by; run the update again',
  });
  expect(written).toHaveLength(1);
  liveFacts = { nodes: { node1: "10.0.1.0/24" } };
  const { outs: updated } = await handler.update({ ...request, id: "id", olds: outs, news });
  expect(written[1]!.lines).toEqual({ "path node1": "10.0.1.0/24" });
  expect(updated).not.toHaveProperty("observedEarlier");
});

it("refuses permanent errors of an observation, and arguments that contradict the facts", async () => {
  liveFacts = Object.assign(new Error("no right to list nodes"), { code: "OVN_FORBIDDEN" });
  expect((await check()).diagnostics).toEqual([{ severity: "error", path: "place", code: "OVN_FORBIDDEN", message: "no right to list nodes" }]);
  liveFacts = { nodes: {} };
  expect((await check()).diagnostics).toEqual([{ severity: "error", path: "prefix", code: "required", message: "no node" }]);
});

it("does not observe while arguments are unknown", async () => {
  liveFacts = new Error("nobody looks");
  const { inputs, diagnostics } = await check({}, { ...NEWS, prefix: UNKNOWN });
  expect([inputs, diagnostics]).toEqual([{ place: "here", prefix: UNKNOWN, rows: UNKNOWN, digest: UNKNOWN, observed: UNKNOWN }, []]);
});

it("reports differences from today's facts in a refresh", async () => {
  const { outs } = await created();
  expect((await handler.read({ ...request, id: "id", olds: outs }))!.props).toEqual(outs);
  liveFacts = { nodes: { node1: "10.0.1.0/24", node2: "10.0.2.0/24" } };
  const found = (await handler.read({ ...request, id: "id", olds: outs }))!;
  expect(found.props).toEqual({ ...outs, observed: liveFacts, digest: "drifted", drift: { "route node2": "missing" } });
  expect(found.inputs).toMatchObject({ observed: liveFacts, rows: { "route node1": "10.0.1.0/24" } });
  expect((await handler.live({ ...request, olds: outs }))!.drift).toEqual({ "route node2": "missing" });
  // A preview after it needs no look to see the same.
  liveFacts = unreachable();
  const next = await check(found.inputs);
  expect(next.inputs.rows).toEqual({ "route node1": "10.0.1.0/24", "route node2": "10.0.2.0/24" });
  expect(handler.diff({ olds: found.props, news: next.inputs }).changes).toBe(true);
  await expect(handler.read({ ...request, id: "id", olds: outs })).rejects.toMatchObject({ code: "OVSDB_CONNECTION" });
});

describe("facts from which nothing can be rendered", () => {
  it("a refresh reports the reason and keeps the written state, until something can be rendered", async () => {
    const { inputs, outs } = await created();
    liveFacts = { nodes: {} };
    const refused = (await handler.read({ ...request, id: "id", olds: outs }))!;
    expect(refused).toEqual({
      refused: "prefix: no node",
      drifted: [{ label: "refused", difference: "prefix: no node" }],
      props: { ...outs, digest: "refused", drift: { refused: "prefix: no node" } },
    });
    expect((await handler.read({ ...request, id: "id", olds: refused.props }))!.props).toEqual(refused.props);
    expect((await check(refused.props)).diagnostics).toMatchObject([{ severity: "error", message: "no node" }]);
    liveFacts = { nodes: { node1: "10.0.1.0/24" } };
    expect((await handler.read({ ...request, id: "id", olds: refused.props }))!.props).toEqual(outs);
    const again = await check(refused.props);
    expect(handler.diff({ olds: refused.props, news: again.inputs }).changes).toBe(true);
    // The live state is compared, independently of the last write.
    await handler.update({ ...request, id: "id", olds: refused.props, news: inputs });
    expect(written[1]!.previous).toMatchObject({ unchanged: false });
    await handler.delete({ ...request, id: "id", olds: refused.props });
    expect(removed).toMatchObject([{ lines: { "route node1": "10.0.1.0/24" } }]);
  });

  it("a resource with secrets reports no reason, which could contain a derived value", async () => {
    const telling = new ResourceHandler(
      {
        ...kind,
        render: ({ prefix }) => {
          throw ArgumentError.of("prefix", "value", `${prefix.toUpperCase()}.1 leads nowhere`);
        },
      },
      backend,
    );
    const read = (secrets: string[]) => telling.read({ ...request, id: "id", secrets, olds: { ...NEWS, digest: "d" } });
    const untold = "nothing can be rendered from the current facts; the next preview shows the reason";
    expect(await read(["prefix"])).toEqual({
      refused: untold,
      drifted: [{ label: "refused", difference: untold }],
      props: { ...NEWS, digest: "refused", drift: { refused: untold } },
    });
    expect(await read([])).toMatchObject({ refused: "prefix: ROUTE.1 leads nowhere" });
  });

  it("other failures are errors, and so is a refusal that depends only on arguments", async () => {
    const { outs } = await created();
    liveFacts = unreachable();
    await expect(handler.read({ ...request, id: "id", olds: outs })).rejects.toMatchObject({ code: "OVSDB_CONNECTION" });
    const { observe: _observe, ...blind } = kind;
    const without = new ResourceHandler(
      {
        ...blind,
        render: () => {
          throw ArgumentError.of("prefix", "value", "no");
        },
      } as Kind<Args, Desired>,
      backend,
    );
    await expect(without.read({ ...request, id: "id", olds: outs })).rejects.toMatchObject({ code: "OVN_ARGUMENT" });
  });
});

it("accepts a state whose kind observed nothing", async () => {
  const { inputs, outs } = await created();
  const { observed: _inputs, ...oldInputs } = inputs;
  const { observed: _outs, ...oldOuts } = outs;
  const { inputs: news, diagnostics } = await check(oldInputs);
  expect(diagnostics).toEqual([]);
  await handler.update({ ...request, id: "id", olds: oldOuts, news });
  expect(written[1]!.previous).toEqual({ desired: undefined, unchanged: false, properties: oldOuts });
  await handler.delete({ ...request, id: "id", olds: oldOuts });
  expect(removed.map(({ lines }) => lines)).toEqual([{ "route node1": "10.0.1.0/24" }]);
});

it("does not change kinds that observe nothing", async () => {
  const targets = new Connections({ node1: { northbound: "unix:n" } } as never);
  const news = { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5 };
  const { inputs, diagnostics } = await handlers.Layer2Switch!.check({ ...request, targets, olds: {}, news });
  expect(diagnostics).toEqual([]);
  expect(Object.keys(inputs).sort()).toEqual(["digest", "name", "rows", "subnets", "tunnelKey", "uuid", "zone"]);
  // Their names stay free for arguments' failures.
  const refused = await handlers.Layer2Switch!.check({ ...request, targets, olds: inputs, news: { ...news, name: UNKNOWN } });
  expect(Object.keys(refused.inputs)).not.toContain("observed");
});

describe("the check after a refresh", () => {
  const LATER = { nodes: { node1: "10.0.1.0/24", node2: "10.0.2.0/24" } };
  /** Facts of a check after a refresh, when they changed in between. */
  async function seen(given: Partial<CheckRequest> = {}, times = 1): Promise<unknown> {
    const { inputs, outs } = await created();
    await handler.read({ ...request, id: "id", olds: outs });
    liveFacts = LATER;
    let last: unknown;
    for (let time = 0; time < times; time++) last = (await handler.check({ ...request, olds: inputs, news: NEWS, ...given })).inputs.observed;
    return last;
  }

  it("uses the refresh's facts in a preview, which writes nothing", async () => {
    expect(await seen({ preview: true })).toEqual({ nodes: { node1: "10.0.1.0/24" } });
  });

  it.each<[string, Partial<CheckRequest>, number]>([
    ["in an update, in which others may have written meanwhile", {}, 1],
    ["of another resource", { preview: true, urn: `${request.urn}2` }, 1],
    ["with other arguments", { preview: true, news: { ...NEWS, prefix: "way" } }, 1],
    ["a second time", { preview: true }, 2],
    ["where today's configuration leads elsewhere", { preview: true, targets: ELSEWHERE }, 1],
  ])("observes again %s", async (_when, given, times) => {
    expect(await seen(given, times)).toEqual(LATER);
  });
});

it("stores changed arguments with equal rows, so that a refresh observes by them", async () => {
  const { inputs, outs } = await created();
  expect(handler.diff({ olds: outs, news: inputs }).changes).toBe(false);
  const { digest } = inputs;
  const { inputs: news } = await check(inputs, { ...NEWS, prefix: "path" });
  expect(handler.diff({ olds: outs, news: { ...news, digest } }).changes).toBe(true);
});
