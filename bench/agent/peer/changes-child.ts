import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type OVN_Southbound } from "@pulumi-ovn/ovsdb-client";

/** Changes of Port_Binding rows, one transaction each. */
export interface Changes {
  readonly southbound: string;
  readonly ports: readonly string[];
  /** Chassis that the ports get. Null: they lose it. Undefined: `up` changes only. */
  readonly chassis?: string | null;
  readonly times: number;
  /** Milliseconds between changes. */
  readonly pause: number;
  /** File to which `ip monitor route` of a leaf writes: the next change waits until it has more lines with the address of the port. */
  readonly routes?: { readonly file: string; readonly addresses: readonly string[] };
}

/** Milliseconds after which a change that no leaf has learned is given up. */
const GIVEN_UP = 30_000;

/** Makes changes; prints the time after each commit, in milliseconds of the system's clock. */
async function main({ southbound, ports, chassis, times, pause, routes }: Changes): Promise<void> {
  const client = await connect<OVN_Southbound>(southbound, { database: "OVN_Southbound" });
  const bindings = new Map((await client.select("Port_Binding", { columns: ["_uuid", "logical_port"] })).map((row) => [row.logical_port, row._uuid]));
  const place = chassis ? (await client.select("Chassis", { columns: ["_uuid"], where: [["name", "==", chassis]] }))[0]!._uuid : null;
  const made: number[] = [];
  for (let turn = 0; turn < times; turn++) {
    for (const [index, port] of ports.entries()) {
      const seen = () => (routes === undefined ? 0 : readFileSync(routes.file, "utf8").split(`${routes.addresses[index]} `).length);
      const before = seen();
      const row = chassis === undefined ? { up: turn % 2 === 1 } : { chassis: place, up: place !== null };
      await client.transaction((tx) => tx.update("Port_Binding", bindings.get(port)!, row));
      made.push(performance.timeOrigin + performance.now());
      for (const end = Date.now() + GIVEN_UP; routes !== undefined && seen() === before && Date.now() < end; ) await sleep(50);
      await sleep(pause);
    }
  }
  await client.close();
  console.log(JSON.stringify(made));
}

void main(JSON.parse(readFileSync(0, "utf8")) as Changes);
