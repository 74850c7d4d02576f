import type { Sample } from "./flow-sender";

/** Milliseconds for an answer: the last probes were not waited for. */
const PATIENCE = 250;

/** `[1795366.123456] 64 bytes from 10.1.2.11: icmp_seq=7 ttl=63 time=0.42 ms`: the time at which the answer came. */
const ANSWER = /^\[([\d.]+)\].* icmp_seq=(\d+) .*time=([\d.]+) ms/;
const SUMMARY = /^(\d+) packets transmitted/;

/** Pure but for what it has read. The probes of a flow, from the lines of `ping -D`. */
export class PingReader {
  readonly #samples: Sample[] = [];
  #sent = 0;

  /**
   * @param started when ping began, in milliseconds
   * @param interval milliseconds between two probes
   */
  constructor(
    private readonly started: number,
    private readonly interval: number,
  ) {}

  line(text: string): void {
    const [, sent] = SUMMARY.exec(text) ?? [];
    if (sent !== undefined) this.#sent = Number(sent);
    const [, stamp, sequence, took] = ANSWER.exec(text) ?? [];
    if (stamp === undefined || text.includes("DUP!")) return;
    const sample = { at: Number(stamp) * 1000 - Number(took), took: Number(took) };
    const index = this.#samples.length;
    // Sequence numbers have 16 bits.
    const missing = (Number(sequence) - 1 - index) & 0xffff;
    // If a shorter path opens, probes overtake earlier probes.
    if (missing > 0x8000) this.#samples[index + missing - 0x10000] = sample;
    else this.#samples.push(...this.#lost(missing, this.#samples.at(-1)?.at ?? sample.at - (missing + 1) * this.interval, sample.at), sample);
  }

  /** All probes, when ping has printed its summary. @param ended when it was asked to end, in milliseconds */
  end(ended: number): Sample[] {
    const tail = this.#lost(this.#sent - this.#samples.length, this.#samples.at(-1)?.at ?? this.started, ended);
    return [...this.#samples, ...tail.filter(({ at }) => at < ended - PATIENCE)];
  }

  /** Probes without an answer, between two moments. */
  #lost(count: number, from: number, to: number): Sample[] {
    return Array.from({ length: Math.max(0, count) }, (_, index) => ({ at: from + ((to - from) * (index + 1)) / (count + 1) }));
  }
}
