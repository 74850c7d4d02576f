import { PingReader } from "../../support/ping-reader";

/** A probe each 10 ms from 1,000 ms on; `took` milliseconds each, in the order in which answers came. */
const answer = (sequence: number, took: number, more = "") =>
  `[${((1_000 + (sequence - 1) * 10 + took) / 1000).toFixed(6)}] 64 bytes from 10.1.2.11: icmp_seq=${sequence & 0xffff} ttl=63 time=${took} ms${more}`;
const sent = (sequence: number, took?: number) => ({ at: 1_000 + (sequence - 1) * 10, ...(took !== undefined && { took }) });

function read(lines: readonly string[], ended = 2_000): unknown[] {
  const reader = new PingReader(1_000, 10);
  for (const line of lines) reader.line(line);
  return reader.end(ended).map(({ at, took }) => ({ at: Math.round(at), ...(took !== undefined && { took }) }));
}

test("reads answered probes with their times, and unanswered ones between them", () => {
  expect(
    read(["PING 10.1.2.11 (10.1.2.11) 56(84) bytes of data.", answer(1, 2), answer(4, 3), "", "4 packets transmitted, 2 received, 50% packet loss, time 30ms"]),
  ).toEqual([sent(1, 2), sent(2), sent(3), sent(4, 3)]);
});

test("begins at the first answer", () => {
  expect(read([answer(3, 1)])).toEqual([sent(1), sent(2), sent(3, 1)]);
});

test("counts an overtaken answer, and ignores a second one to the same probe", () => {
  expect(read([answer(1, 1), answer(4, 1), answer(2, 40), answer(3, 30), answer(4, 5, " (DUP!)")])).toEqual([sent(1, 1), sent(2, 40), sent(3, 30), sent(4, 1)]);
});

test("continues after sequence number 65535", () => {
  const all = read([...Array.from({ length: 65_534 }, (_, index) => answer(index + 1, 1)), answer(65_537, 1), answer(65_535, 25)]);
  expect(all.slice(65_533)).toEqual([sent(65_534, 1), sent(65_535, 25), sent(65_536), sent(65_537, 1)]);
});

test("counts probes after the last answer as lost, except those still within the timeout", () => {
  const lost = read([answer(1, 1), "101 packets transmitted, 1 received, 99% packet loss, time 1000ms"]);
  expect(lost).toHaveLength(1 + 75);
  expect(lost.slice(0, 3)).toEqual([sent(1, 1), { at: 1_010 }, { at: 1_020 }]);
  expect(lost.at(-1)).toEqual({ at: 1_743 });
});

test("counts all probes of a flow without any answer as lost", () => {
  const lost = read(["9 packets transmitted, 0 received, 100% packet loss, time 990ms"]);
  expect(lost).toEqual([1_100, 1_200, 1_300, 1_400, 1_500, 1_600, 1_700].map((at) => ({ at })));
});

test("has no probes if nothing was sent", () => {
  expect(read([])).toEqual([]);
});
