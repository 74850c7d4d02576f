import { Framer } from "@pulumi-ovn/ovsdb-client/dist/framing/framer";
import { inTurns, median, timed } from "../kit/measure";
import type { Benchmark } from "../kit/report";

const MEGABYTES = 35;
const CHUNK = 64 * 1024;

/** The reply to a select of a whole table, as the server writes it. */
function reply(bytes: number): Buffer {
  const row = (index: number) =>
    `{"_uuid":["uuid","6d6c4b0e-2cb5-8b4f-9a3e-${String(index).padStart(12, "0")}"],"name":"vm${index}","addresses":["set",["0a:58:cb:cb:00:11 203.203.0.17"]],"options":["map",[["requested-tnl-key","${index}"]]]}`;
  const rows: string[] = [];
  for (let size = 0, index = 0; size < bytes; index++) {
    rows.push(row(index));
    size += rows[index]!.length + 1;
  }
  return Buffer.from(`{"id":1,"result":[{"rows":[${rows.join(",")}]}],"error":null}`);
}

function chunks(text: Buffer): Buffer[] {
  return Array.from({ length: Math.ceil(text.length / CHUNK) }, (_, index) => text.subarray(index * CHUNK, (index + 1) * CHUNK));
}

/** Megabytes per second until the end of the message is known. */
async function framing(text: Buffer): Promise<number> {
  const pieces = chunks(text);
  let messages = 0;
  const time = await timed(() => {
    const framer = new Framer({ maxMessageBytes: 1e9, maxDepth: 1_000 }, () => messages++);
    for (const piece of pieces) framer.push(piece);
  });
  if (messages !== 1) throw new Error(`${messages} messages were found`);
  return text.length / 1e3 / time;
}

/** The peer: finds the end by looking at every byte, then parses the whole. */
async function scanAndParse(text: Buffer): Promise<number> {
  return timed(() => {
    let depth = 0;
    let inString = false;
    for (let index = 0; index < text.length; index++) {
      const byte = text[index]!;
      if (byte === 0x22) inString = !inString;
      else if (!inString && (byte === 0x7b || byte === 0x5b)) depth++;
      else if (!inString && (byte === 0x7d || byte === 0x5d)) depth--;
    }
    if (depth !== 0) throw new Error("the text is not whole");
    return JSON.parse(text.toString());
  });
}

async function frameAndParse(text: Buffer): Promise<number> {
  const pieces = chunks(text);
  return timed(() => {
    const framer = new Framer({ maxMessageBytes: 1e9, maxDepth: 1_000 }, (head, parts) => {
      JSON.parse(head);
      for (const part of parts) part!.parse();
    });
    for (const piece of pieces) framer.push(piece);
  });
}

export const parsing: Benchmark = {
  name: "parsing",
  title: "One reply of 35 MB",
  method: "A select of 200,000 rows in chunks of 64 KiB, medians of five rounds in turns. Peer: JSON.parse of the whole text after a scan for its end.",
  async run() {
    const text = reply(MEGABYTES * 1e6);
    const double = reply(2 * MEGABYTES * 1e6);
    const rate = median([await framing(text), await framing(text), await framing(text), await framing(text), await framing(text)]);
    const rateOfDouble = median([await framing(double), await framing(double), await framing(double)]);
    const whole = await inTurns(
      5,
      () => frameAndParse(text),
      () => scanAndParse(text),
    );
    const linear = rate / rateOfDouble;
    return [
      { what: "framing", ours: `${rate.toFixed(0)} MB/s`, peer: "", ratio: "", goal: "at least 300 MB/s", met: rate >= 300 },
      {
        what: "framing of 70 MB",
        ours: `${rateOfDouble.toFixed(0)} MB/s`,
        peer: `35 MB: ${rate.toFixed(0)} MB/s`,
        ratio: linear.toFixed(2),
        goal: "linear (at most 1.25)",
        met: linear <= 1.25,
      },
      {
        what: "framing and parsing",
        ours: `${whole.ours.toFixed(0)} ms`,
        peer: `scan and JSON.parse ${whole.peer.toFixed(0)} ms`,
        ratio: (whole.ours / whole.peer).toFixed(2),
        goal: "at most 1",
        met: whole.ours <= whole.peer,
      },
    ];
  },
};
