/**
 * Follows libvirt's guests and informs the stack of live-migration when a migration begins, when the guest has switched over, and when it is
 * cancelled. See ../README.md.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { eventIn } from "./events.ts";
import { Follower } from "./follower.ts";
import { PortRows } from "./rows.ts";
import { Stack } from "./stack.ts";

const usage = `Usage: node hook/follow.ts --stack NAME [--pulumi COMMAND] NODE=COMMAND...
  --pulumi COMMAND   Pulumi's CLI; default: pulumi
  NODE=COMMAND       prints the events of the node's libvirt: node1='virsh -c qemu+ssh://node1/system event --event lifecycle --loop'`;

/** Milliseconds before a command that ended is started again. */
const AGAIN = 5_000;

function options(): { stack: string; pulumi: string; commands: [node: string, command: string][] } {
  const { values, positionals } = parseArgs({ allowPositionals: true, options: { stack: { type: "string" }, pulumi: { type: "string", default: "pulumi" } } });
  const commands = positionals.map((text) => /^([^=]+)=(.+)$/s.exec(text));
  if (values.stack === undefined || commands.length === 0 || commands.includes(null)) throw new Error(usage);
  return { stack: values.stack, pulumi: values.pulumi, commands: commands.map((match) => [match![1]!, match![2]!]) };
}

async function main(): Promise<void> {
  const { stack: name, pulumi, commands } = options();
  const say = (text: string) => process.stdout.write(`${text}\n`);
  const stack = new Stack(name, pulumi.split(" "));
  const outputs = await stack.outputs();
  const unknown = commands.find(([node]) => !Object.hasOwn(outputs.nodes, node));
  if (unknown) throw new Error(`the stack has no node ${unknown[0]}; it has ${Object.keys(outputs.nodes).join(", ")}`);
  const rows = await PortRows.open(
    Object.values(outputs.nodes).map(({ zone }) => zone),
    await stack.targets(),
  );

  let stopping = false;
  const watching = new Map<string, ChildProcess>();
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    for (const child of watching.values()) child.kill();
    say("ending after the update in progress");
    const missing = await follower.end();
    if (missing !== undefined) process.stderr.write(`not in the stack: ${missing}; run pulumi up, then start again\n`);
    await rows.close();
    process.exit(missing === undefined ? 0 : 1);
  };
  const follower = new Follower(outputs, { stack, rows, say, giveUp: stop });
  const watch = (node: string, command: string) => {
    // Its words are looked at, so they must not be of another language.
    const child = spawn("sh", ["-c", `exec ${command}`], { stdio: ["ignore", "pipe", "inherit"], env: { ...process.env, LC_ALL: "C" } });
    watching.set(node, child);
    createInterface(child.stdout).on("line", (line) => {
      const event = eventIn(line, node);
      if (event) follower.take(event);
    });
    child.once("close", () => {
      if (stopping) return;
      say(`the events of ${node} have ended: starting again in ${AGAIN / 1000} s`);
      setTimeout(() => {
        if (!stopping) watch(node, command);
      }, AGAIN);
    });
  };
  for (const [node, command] of commands) watch(node, command);
  process.once("SIGINT", stop).once("SIGTERM", stop);
  for (const zone of rows.away()) say(`zone ${zone} is away: it is tried again until it is there`);
  say(`following ${Object.keys(outputs.guests).join(", ")} on ${commands.map(([node]) => node).join(", ")}`);
}

main().catch((error: Error) => {
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
