import type { Flow } from "../../support/flow";
import { type Measured, measure as measured } from "../../support/flows";
import type { Received } from "../../support/flow-sender";

const flow = (protocol: Flow["protocol"]): Flow => ({ name: "f", kind: "out", protocol, from: "vm1", to: "192.0.2.1", over: ["node1"] });
const measure = (of: Flow, received: Received, from: number, to: number): Measured => measured(of, received, from, to, 10);
/** Probes each 10 ms from 0; those at the namespaces named have no answer. */
const probes = (count: number, lost: readonly number[]) =>
  Array.from({ length: count }, (_, index) => ({ at: index * 10, ...(!lost.includes(index) && { took: 1 }) }));

describe("losses of probes", () => {
  test("are empty without an unanswered probe, however late the probes were sent", () => {
    const late = [
      { at: 0, took: 1 },
      { at: 500, took: 1 },
      { at: 510, took: 1 },
    ];
    expect(measure(flow("udp"), { samples: late }, 0, 1_000)).toMatchObject({ sent: 3, lost: 0, gap: 0 });
  });

  test("are the longest unanswered run, from the answered probe before to the one after, less an interval", () => {
    const samples = probes(100, [10, 20, 21, 22, 50]);
    expect(measure(flow("udp"), { samples }, 0, 1_000)).toMatchObject({ sent: 100, lost: 5, gap: 30 });
  });

  test("count in the stage in which they were sent; a run counts in every stage that it touches", () => {
    const samples = probes(100, [48, 49, 50, 51]);
    expect(measure(flow("icmp"), { samples }, 0, 500)).toMatchObject({ sent: 50, lost: 2, gap: 40 });
    expect(measure(flow("icmp"), { samples }, 500, 1_000)).toMatchObject({ sent: 50, lost: 2, gap: 40 });
    expect(measure(flow("icmp"), { samples }, 600, 700)).toMatchObject({ sent: 10, lost: 0, gap: 0 });
  });

  test("continue to the end without an answer", () => {
    const samples = probes(
      100,
      Array.from({ length: 50 }, (_, index) => 50 + index),
    );
    expect(measure(flow("udp"), { samples }, 0, 1_000)).toMatchObject({ lost: 50, gap: 510 });
    expect(measure(flow("udp"), { samples: probes(10, [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) }, 0, 100)).toMatchObject({ lost: 10, gap: 100 });
  });

  test("of TCP are a record's duration, and a broken connection", () => {
    const samples = [
      { at: 0, took: 2 },
      { at: 20, took: 210 },
      { at: 40, took: 190 },
    ];
    expect(measure(flow("tcp"), { samples, broken: "read ECONNRESET" }, 0, 100)).toEqual({
      flow: flow("tcp"),
      sent: 3,
      lost: 0,
      gap: 210,
      broken: "read ECONNRESET",
    });
  });
});
