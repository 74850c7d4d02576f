// Stand-in for ovn-trace in the background. It answers as the real program does, but packets to one address grow its memory, as in a loop.
// Arguments: path of the real program, address, socket, process ID file, database.
const { execFileSync } = require("node:child_process");
const { writeFileSync } = require("node:fs");
const { createServer } = require("node:net");

const [, , real, address, socket, pid, database] = process.argv;

/** Bytes that one step of the loop takes, and the most steps: 10 GB. */
const STEP = 2 ** 28;
const STEPS = 40;

createServer((connection) => {
  connection.once("data", (request) => {
    const [datapath, flow] = JSON.parse(request.toString()).params;
    const held = [];
    if (flow.includes(`ip4.dst == ${address}`)) while (held.length < STEPS) held.push(new ArrayBuffer(STEP));
    const result = execFileSync(real, [database, "--select-id=1", datapath, flow], { encoding: "utf8" });
    connection.end(JSON.stringify({ id: 0, result, error: null }));
  });
}).listen(socket, () => writeFileSync(pid, String(process.pid)));
