import { execFile } from "node:child_process";
import { access, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { ensureRows } from "@pulumi-ovn/provider/rows";
import { startCentral } from "@pulumi-ovn/sandbox";
import { cacheFolder } from "@pulumi-ovn/sandbox/dist/cache";
import type { Benchmark, Result } from "./report";
import { northbound, switchWith, target } from "./rows";

const run = promisify(execFile);
const PORTS = 100_000;

interface Measured {
  readonly seconds: number;
  readonly megabytes: number;
}

/** In a process of its own, so that its memory can be told from the benchmark's. */
async function ours(endpoint: string): Promise<Measured> {
  const { stdout } = await run(process.execPath, [join(__dirname, "cache-child.js"), endpoint]);
  return JSON.parse(stdout) as Measured;
}

const IDL = `
import json, resource, sys, time
import ovs.db.idl, ovs.poller
schema = json.loads(open(sys.argv[2]).read())
helper = ovs.db.idl.SchemaHelper(schema_json=schema)
helper.register_table("Logical_Switch_Port")
start = time.time()
idl = ovs.db.idl.Idl(sys.argv[1], helper)
while not idl.has_ever_connected() or len(idl.tables["Logical_Switch_Port"].rows) < int(sys.argv[3]):
    if not idl.run():
        poller = ovs.poller.Poller()
        idl.wait(poller)
        poller.block()
print(json.dumps({"seconds": time.time() - start, "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
`;

/** The IDL of Open vSwitch for Python, from its package in a virtual environment of the cache. */
async function peer(endpoint: string, schema: string): Promise<Measured> {
  const folder = join(cacheFolder(), "python-ovs");
  const python = join(folder, "bin/python3");
  await access(join(folder, "ready")).catch(async () => {
    await run("python3", ["-m", "venv", folder]);
    await run(join(folder, "bin/pip"), ["install", "--quiet", "ovs"]);
    await run("touch", [join(folder, "ready")]);
  });
  const { stdout } = await run(python, ["-c", IDL, endpoint, schema, String(PORTS)]);
  return JSON.parse(stdout) as Measured;
}

export const cache: Benchmark = {
  name: "cache",
  title: "A cache of 100,000 rows by monitor",
  method: "A monitor of all columns of 100,000 switch ports, each contender in a process of its own: time until the cache is whole, and the process's largest resident size.",
  async run(): Promise<Result[]> {
    await using central = await startCentral({ northd: false });
    const client = await northbound(central);
    await ensureRows(target(client, "bench"), switchWith(PORTS));
    await client.close();
    const { stdout } = await central.run("ovsdb-client", ["get-schema", central.northbound, "OVN_Northbound"]);
    const schema = join(central.folder, "schema.json");
    await writeFile(schema, stdout);
    const mine = await ours(central.northbound);
    const theirs = await peer(central.northbound, schema);
    return [
      { what: "time", ours: `${mine.seconds.toFixed(2)} s`, peer: `Python IDL ${theirs.seconds.toFixed(1)} s`, ratio: (mine.seconds / theirs.seconds).toFixed(2), goal: "at most 2.4 s", met: mine.seconds <= 2.4 },
      { what: "memory", ours: `${mine.megabytes.toFixed(0)} MB`, peer: `Python IDL ${theirs.megabytes.toFixed(0)} MB`, ratio: (mine.megabytes / theirs.megabytes).toFixed(2), goal: "at most 300 MB", met: mine.megabytes <= 300 },
    ];
  },
};
