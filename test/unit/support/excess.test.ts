import fc from "fast-check";
import { beyondControl } from "../../support/excess";
import type { Flow, Stage } from "../../support/flow";
import type { Received, Sample } from "../../support/flow-sender";

const flow = (name: string, kind: Flow["kind"], over: readonly string[], protocol: Flow["protocol"] = "udp"): Flow => ({
  name,
  kind,
  protocol,
  from: "vm1",
  to: "192.0.2.1",
  over,
});

type Outage = readonly [from: number, to: number];
const during = (outages: readonly Outage[], at: number) => outages.some(([from, to]) => at >= from && at < to);

/** Ten seconds of probes every 10 ms, without answers in an outage. TCP records wait for its end. */
function udp(...outages: Outage[]): Received {
  return { samples: Array.from({ length: 1_000 }, (_, index): Sample => ({ at: index * 10, ...(!during(outages, index * 10) && { took: 2 }) })) };
}
function tcp(...outages: Outage[]): Received {
  const wait = (at: number) => Math.max(2, ...outages.filter(([from, to]) => at >= from && at < to).map(([, to]) => to - at));
  return { samples: Array.from({ length: 500 }, (_, index): Sample => ({ at: index * 20, took: wait(index * 20) })) };
}

const HOSTS = ["node1", "node2", "node3"];
/** Two flows between each pair of hosts, with what befalls those over the hosts. */
const control = (outages: Readonly<Record<string, readonly Outage[]>> = {}, make: typeof udp = udp, protocol: Flow["protocol"] = "udp"): [Flow, Received][] =>
  HOSTS.flatMap((host, index) =>
    [1, 2].map((copy): [Flow, Received] => {
      const over = [host, HOSTS[(index + 1) % 3]!];
      return [flow(`control ${host} ${copy}`, "control", over, protocol), make(...over.flatMap((one) => outages[one] ?? []))];
    }),
  );

const STAGES: Stage[] = [
  { name: "first", from: 0, to: 5_000 },
  { name: "second", from: 5_000, to: 10_000 },
];
const judge = (measured: [Flow, Received], rest: [Flow, Received][], stages = STAGES) => beyondControl([measured, ...rest], STAGES, stages, () => true, 10);
const own = flow("f", "out", ["node1"]);

describe("flows next to a control", () => {
  test("without a loss, or with a few lost probes, are not reported", () => {
    expect(judge([own, udp()], control())).toEqual([]);
    expect(judge([own, udp([1_000, 1_050])], control())).toEqual([]);
  });

  test("are reported in the stage of an outage that the control does not see", () => {
    expect(judge([own, udp([6_000, 6_100])], control())).toEqual(["second: f: 10 probes more than the control, whose own flows differ by 0"]);
    expect(judge([own, udp([6_000, 6_100])], control(), STAGES.slice(0, 1))).toEqual([]);
  });

  test("may lose up to a fifth of a second while a node's routers are exchanged", () => {
    const swaps = STAGES.map((stage) => ({ ...stage, swap: true }));
    expect(judge([own, udp([6_000, 6_200])], control(), swaps)).toEqual([]);
    expect(judge([own, udp([6_000, 6_210])], control(), swaps)).toEqual(["second: f: 21 probes more than the control, whose own flows differ by 0"]);
    expect(judge([own, udp([6_000, 6_060])], control())).toEqual([]);
    expect(judge([own, udp([6_000, 6_070])], control())).toEqual(["second: f: 7 probes more than the control, whose own flows differ by 0"]);
  });

  test("are reported for the sum of single probes", () => {
    const every = Array.from({ length: 20 }, (_, index): Outage => [index * 200 + 100, index * 200 + 110]);
    expect(judge([own, udp(...every)], control())).toEqual(["first: f: 20 probes more than the control, whose own flows differ by 0"]);
  });

  test("are not reported for a pause of the machine, short or long", () => {
    for (const outage of [
      [2_000, 2_150],
      [2_000, 4_500],
    ] as const)
      expect(judge([own, udp(outage)], control({ node1: [outage] }))).toEqual([]);
  });

  test("are excused by another host's pause as far as the control over this host is affected", () => {
    expect(judge([own, udp([2_000, 3_000])], control({ node2: [[2_000, 3_000]] }))).toEqual([
      "first: f: 50 probes more than the control, whose own flows differ by 0",
    ]);
  });

  test("are reported for the part of an outage beyond the machine's pause", () => {
    expect(judge([own, udp([2_000, 4_000])], control({ node1: [[2_000, 2_500]] }))).toEqual([
      "first: f: 140 probes more than the control, whose own flows differ by 0",
    ]);
  });

  test("are excused by the control's share: an outage is reported while the control loses half", () => {
    const half = control().map(([other, received], index): [Flow, Received] => [other, index % 2 === 0 ? udp([2_000, 3_000]) : received]);
    expect(judge([own, udp([2_000, 3_000])], half)).toEqual([]);
    expect(judge([own, udp([2_000, 3_000], [6_000, 9_000])], half)).toEqual(["second: f: 300 probes more than the control, whose own flows differ by 67"]);
  });

  test("are excused by late answers of the control; late answers of their own are no losses", () => {
    const slow: Received = { samples: udp().samples.map((sample) => (sample.at >= 2_000 && sample.at < 3_000 ? { ...sample, took: 400 } : sample)) };
    expect(
      judge(
        [own, udp([2_000, 3_000])],
        control().map(([other]): [Flow, Received] => [other, slow]),
      ),
    ).toEqual([]);
    expect(judge([own, slow], control())).toEqual([]);
  });

  test("are excused while the control could not send", () => {
    const paused: Received = { samples: udp().samples.filter(({ at }) => at < 2_000 || at >= 3_000) };
    expect(
      judge(
        [own, udp([2_000, 3_000])],
        control().map(([other]): [Flow, Received] => [other, paused]),
      ),
    ).toEqual([]);
  });

  test("of TCP are compared with TCP: retransmissions delay records longer than the outage", () => {
    const stream = flow("t", "out", ["node1"], "tcp");
    expect(judge([stream, tcp([2_000, 2_200])], control({}, tcp, "tcp"))).toEqual([]);
    expect(judge([stream, tcp([2_000, 3_000])], control({}, tcp, "tcp"))).toEqual(["first: t: 38 probes more than the control, whose own flows differ by 0"]);
    expect(judge([stream, tcp([2_000, 3_000])], control({ node1: [[2_000, 3_000]] }, tcp, "tcp"))).toEqual([]);
  });

  test("are refused with a control that does not work: it would excuse everything", () => {
    expect(() => judge([own, udp()], [])).toThrow("the control does not work: it has no flows");
    expect(() => judge([own, udp()], control({ node2: [[0, 9_000]] }))).toThrow(
      /^the control does not work: control node1 1, control node1 2, control node2 1, control node2 2$/,
    );
    const [[first, received], ...rest] = control() as [[Flow, Received], ...[Flow, Received][]];
    expect(() => judge([own, udp()], [[first, { ...received, broken: "reset" }], ...rest])).toThrow("the control does not work: control node1 1");
  });

  test("are refused without probes: a flow without any has no losses", () => {
    expect(() => judge([own, { samples: [] }], control())).toThrow(/^nothing was sent: f$/);
    expect(() => judge([own, udp()], control(), [])).toThrow(/^there is no stage to judge$/);
    expect(() => beyondControl([[own, udp()], ...control()], STAGES, STAGES, ({ name }) => name === "g", 10)).toThrow(/^there is no flow to judge$/);
    // A flow that others don't ask about may be silent.
    expect(beyondControl([[own, udp()], [flow("g", "out", ["node1"]), { samples: [] }], ...control()], STAGES, STAGES, ({ name }) => name === "f", 10)).toEqual(
      [],
    );
  });

  const outages = fc.array(
    fc.tuple(fc.integer({ min: 0, max: 9_000 }), fc.integer({ min: 10, max: 600 })).map(([from, length]): Outage => [from, from + length]),
    { maxLength: 5 },
  );

  test("are never reported for pauses that all flows of a host share", () => {
    fc.assert(
      fc.property(fc.record({ node1: outages, node2: outages, node3: outages }), (pauses) => {
        expect(judge([flow("f", "out", ["node1", "node2"]), udp(...pauses.node1, ...pauses.node2)], control(pauses))).toEqual([]);
      }),
    );
  });

  test("are reported for an outage without a pause, whatever pauses occur at other times", () => {
    fc.assert(
      fc.property(
        outages.map((all) => all.filter(([, to]) => to < 4_000)),
        fc.integer({ min: 70, max: 2_000 }),
        (pauses, length) => {
          expect(judge([own, udp(...pauses, [6_000, 6_000 + length])], control({ node1: pauses, node2: pauses, node3: pauses }), STAGES.slice(1))).toHaveLength(
            1,
          );
        },
      ),
    );
  });
});
