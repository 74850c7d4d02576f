import { spawn } from "node:child_process";
import { connect } from "node:net";

/**
 * The least that could follow the database: workloads of one chassis by a raw monitor, and `ip route replace` for each new one
 * or changes. It withdraws nothing, compares nothing, and knows neither networks nor others' routes.
 */
function main(socket: string, chassis: string, device: string, table: string): void {
  const connection = connect(socket);
  const announce = (mac: unknown): void => {
    const [, address] = typeof mac === "string" ? mac.split(" ") : [];
    if (address !== undefined) spawn("ip", ["route", "replace", `${address}/32`, "dev", device, "table", table], { stdio: "inherit" });
  };
  let depth = 0;
  let text = "";
  connection.setEncoding("utf8").on("data", (chunk: string) => {
    for (const character of chunk) {
      text += character;
      if (character === "{") depth++;
      else if (character === "}" && --depth === 0) {
        const { method, result, params, id } = JSON.parse(text) as {
          method?: string;
          result?: unknown;
          params: readonly { Port_Binding?: Record<string, { initial?: object; insert?: { mac: unknown }; modify?: { mac: unknown } }> }[];
          id: unknown;
        };
        text = "";
        if (method === "echo") connection.write(JSON.stringify({ id, result: params, error: null }));
        else if (method === "update2") for (const { insert, modify } of Object.values(params[1]?.Port_Binding ?? {})) announce((insert ?? modify)?.mac);
        else if (result) process.stdout.write("ready\n");
      }
    }
  });
  const port = [{ columns: ["mac"], where: [["chassis", "==", ["uuid", chassis]]] }];
  connection.write(JSON.stringify({ id: 1, method: "monitor_cond", params: ["OVN_Southbound", null, { Port_Binding: port }] }));
}

const [socket, chassis, device, table] = process.argv.slice(2) as [string, string, string, string];
main(socket, chassis, device, table);
