import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import type { Running, Sandbox } from "@pulumi-ovn/sandbox";
import { run } from "@pulumi-ovn/sandbox/testing";
import { acquainted, connections, continuously, serve, SERVICE_PORT, talkers } from "../../e2e/egress-ip-traffic";

const HOST = "127.0.0.1";

/** This machine, as if it were a namespace. */
const machine = {
  exec: (_place: string, [file, ...args]: readonly string[]) => run({ file: file!, args }),
  spawn: async (_place: string, [file, ...args]: readonly string[]): Promise<Running> => {
    const process = spawn(file!, args, { stdio: "pipe" });
    return { process, signal: (name) => process.kill(name), exit: once(process, "close").then(([code]) => Number(code)) };
  },
} as unknown as Sandbox;

/** Records requested ports, and connects to none. */
function listener(): { sandbox: Sandbox; asked: string[][] } {
  const asked: string[][] = [];
  const sandbox = {
    exec: async (_place: string, argv: readonly string[]) => {
      asked.push(argv.slice(4, 6));
      return { code: 0, stdout: JSON.stringify({ tally: { [HOST]: 1 }, samples: [] }), stderr: "" };
    },
    spawn: async (_place: string, argv: readonly string[]) => {
      asked.push(argv.slice(4, 6));
      return { process: { stdout: new EventEmitter() } } as unknown as Running;
    },
  } as unknown as Sandbox;
  return { sandbox, asked };
}

async function listening(serving: (socket: Socket) => void): Promise<{ port: number; close: () => void }> {
  const sockets: Socket[] = [];
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket.on("error", () => undefined));
    serving(socket);
  }).listen(0, HOST);
  await once(server, "listening");
  const close = () => {
    sockets.forEach((socket) => socket.destroy());
    server.close();
  };
  return { port: (server.address() as AddressInfo).port, close };
}

describe("connections of tests", () => {
  test("use ports of no earlier round, except the service's, until the ports are used up", async () => {
    const { sandbox, asked } = listener();
    await connections(sandbox, "vm1", HOST, 1);
    await acquainted(sandbox, "vm1", HOST);
    await continuously(sandbox, "vm1", HOST);
    await connections(sandbox, "vm1", HOST, 1);
    const [[first], ...others] = asked.map(([port, span]) => [Number(port), Number(span)] as const) as [
      readonly [number, number],
      ...(readonly [number, number])[],
    ];
    expect(others).toEqual([
      [first + 1, 1],
      [first + 2, 20],
      [first + 22, 1],
    ]);
    await connections(sandbox, "vm1", HOST, 1, "1", SERVICE_PORT);
    expect(asked.at(-1)).toEqual(["8080", "1"]);
    for (let round = 0; round < 500; round++) await connections(sandbox, "vm1", HOST, 1);
    const ports = asked.slice(5).map(([port]) => Number(port));
    for (let round = 0; round < 30; round++) await continuously(sandbox, "vm1", HOST);
    const lasts = asked.slice(-30).map(([port]) => Number(port) + 19);
    expect([Math.min(...lasts), Math.max(...lasts)].map((last) => last > 20_018 && last < 20_500)).toEqual([true, true]);
    expect([Math.min(...ports), Math.max(...ports), new Set(ports).size]).toEqual([20_000, 20_499, 500]);
  });

  test("are answered on all ports in turn, and lasting ones stay open", async () => {
    const server = await serve(machine, "");
    const { tally, samples } = await connections(machine, "", HOST, 60);
    expect([tally, samples.filter(({ took }) => took !== undefined)]).toEqual([{ [HOST]: 60 }, samples]);
    expect((await connections(machine, "", HOST, 3, "2000", SERVICE_PORT)).tally).toEqual({ [HOST]: 3 });
    const [more, talk] = [await continuously(machine, "", HOST), await talkers(machine, "", HOST, 3)];
    expect(await talk()).toMatchObject({ alive: 3 });
    expect(Object.keys((await more()).tally)).toEqual([HOST]);
    server.signal("SIGKILL");
    await server.exit;
  });

  test("are lost without an answer; answered ones are not, however they end", async () => {
    const [mute, endless] = await Promise.all([listening(() => undefined), listening((socket) => socket.write("me"))]);
    const { tally, samples } = await connections(machine, "", HOST, 2, "200", mute.port);
    expect([tally, samples.map(({ took }) => took)]).toEqual([{ timeout: 2 }, [undefined, undefined]]);
    const answered = await connections(machine, "", HOST, 2, "200", endless.port);
    expect([answered.tally, answered.samples.filter(({ took }) => took === undefined)]).toEqual([{ me: 2 }, []]);
    mute.close();
    endless.close();
  });
});
