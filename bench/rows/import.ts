import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { startCentral } from "@pulumi-ovn/sandbox";
import type { Benchmark } from "../kit/report";
import { fill, northbound } from "./rows";

const run = promisify(execFile);
const ROWS = 20_000;

export const imports: Benchmark = {
  name: "import",
  title: "Import of 20,000 rows",
  method: "Twenty switches with 999 ports each, read and written as a program with its import file, in its own process.",
  async run() {
    await using central = await startCentral({ northd: false });
    const client = await northbound(central);
    await fill(client, ROWS);
    for (const table of ["Logical_Switch", "Logical_Switch_Port"])
      await client.transact([{ op: "update", table, where: [], row: { external_ids: ["map", []] } }]);
    await client.close();
    const { stdout } = await run(process.execPath, [join(__dirname, "import-child.js"), central.northbound]);
    const { seconds, megabytes, resources } = JSON.parse(stdout) as { seconds: number; megabytes: number; resources: number };
    return [
      { what: `time, ${resources} resources`, ours: `${seconds.toFixed(2)} s`, peer: "", ratio: "", goal: "at most 10 s", met: seconds <= 10 },
      { what: "memory", ours: `${megabytes.toFixed(0)} MB`, peer: "", ratio: "", goal: "at most 500 MB", met: megabytes <= 500 },
    ];
  },
};
