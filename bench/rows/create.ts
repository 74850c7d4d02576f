import { ensureRows, removeRows } from "@pulumi-ovn/provider/rows";
import { startCentral, type Central } from "@pulumi-ovn/sandbox";
import { median, ms, timed } from "../kit/measure";
import type { Benchmark } from "../kit/report";
import { fill, northbound, switchWith, target } from "./rows";

const ROWS = 24;
const ROUNDS = 25;

async function creation(central: Central, others: number): Promise<number> {
  const client = await northbound(central);
  await fill(client, others);
  const set = switchWith(ROWS - 1);
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    times.push(await timed(() => ensureRows(target(client, "bench"), set)));
    await removeRows(target(client, "bench"), set);
  }
  await client.close();
  return median(times);
}

/** The same rows by the command line tool, which reads the whole database first. */
function byNbctl(central: Central): Promise<number> {
  const args = ["ls-add", "bench", ...Array.from({ length: ROWS - 1 }, (_, index) => ["--", "lsp-add", "bench", `bench-vm${index}`]).flat()];
  return timed(async () => {
    const { code, stderr } = await central.run("ovn-nbctl", args);
    if (code !== 0) throw new Error(stderr);
  });
}

export const create: Benchmark = {
  name: "create",
  title: "Create of one resource",
  method: `A switch with ${ROWS - 1} ports (${ROWS} rows, one transaction), in an empty database and in one with 20,000 other rows; medians of ${ROUNDS}.`,
  async run() {
    await using empty = await startCentral({ northd: false });
    await using full = await startCentral({ northd: false });
    const alone = await creation(empty, 0);
    const crowded = await creation(full, 20_000);
    const nbctl = await byNbctl(full);
    return [
      {
        what: "with 20,000 rows",
        ours: ms(crowded),
        peer: `empty database ${ms(alone)}`,
        ratio: (crowded / alone).toFixed(2),
        goal: "flat (at most 1.5)",
        met: crowded / alone <= 1.5,
      },
      { what: "the same", ours: ms(crowded), peer: `ovn-nbctl ${ms(nbctl)}`, ratio: (crowded / nbctl).toFixed(3), goal: "below 1", met: crowded < nbctl },
      { what: "per row", ours: ms(crowded / ROWS), peer: "", ratio: "", goal: "at most 0.15 ms", met: crowded / ROWS <= 0.15 },
    ];
  },
};
