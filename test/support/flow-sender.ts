/**
 * Runs inside of a namespace of the sandbox: echoes what others send, and sends probes of its own. A program by itself, so that
 * one process serves all flows of a namespace. Argument: a Task as JSON. Prints "ready" when its servers listen; starts to
 * probe with the first line of input; prints what became of every probe as JSON when the input ends.
 */
import { createSocket, type Socket as Datagrams } from "node:dgram";
import { connect, createServer, type Socket } from "node:net";
import { type NetworkInterfaceInfo, networkInterfaces } from "node:os";

export interface Task {
  /** Port on which UDP and TCP are echoed, IPv4 and IPv6. */
  readonly echo: number;
  /** Milliseconds between two probes of UDP; TCP sends a record each second time. */
  readonly interval: number;
  readonly flows: readonly { readonly name: string; readonly protocol: "udp" | "tcp"; readonly to: string; readonly port: number }[];
}

/** Milliseconds of the clock: when a probe was sent; and how long its answer took, undefined for one that never came. */
export interface Sample {
  readonly at: number;
  readonly took?: number;
}

export interface Received {
  readonly samples: readonly Sample[];
  /** Why a TCP connection ended before its time. */
  readonly broken?: string;
}

const RECORD = 8;

const now = () => performance.timeOrigin + performance.now();
type Flow = Task["flows"][number];
type Live = { samples: { at: number; took?: number }[]; broken?: string; stop: () => void };

function echo(port: number): Promise<unknown> {
  // One socket per address: an answer must come from the requested address.
  const udp = ({ family, address, scopeid }: NetworkInterfaceInfo) =>
    new Promise<void>((resolve) => {
      const socket: Datagrams = createSocket(family === "IPv4" ? "udp4" : "udp6");
      socket.on("message", (message, { port: from, address }) => socket.send(message, from, address));
      socket.on("error", () => resolve());
      if (scopeid) resolve();
      else socket.bind(port, address, resolve);
    });
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  const tcp = new Promise<void>((resolve) => {
    createServer((socket) => {
      socket.setNoDelay(true);
      socket.on("error", () => socket.destroy());
      socket.pipe(socket);
    }).listen(port, "::", resolve);
  });
  return Promise.all([...addresses.map(udp), tcp]);
}

function answered(live: Live, sequence: number): void {
  const sample = live.samples[sequence];
  if (sample && sample.took === undefined) sample.took = now() - sample.at;
}

/** So many milliseconds without a single answer, and the flow begins again. */
const FALSE_START = 500;

/**
 * Until the first answer a flow may begin again from another port: connection tracking remembers a first packet that came
 * before its way was complete, and would keep the flow on the wrong one.
 */
function udp({ to, port }: Flow, interval: number): Live {
  const open = (): Datagrams => {
    const socket = createSocket(to.includes(":") ? "udp6" : "udp4");
    socket.on("message", (message) => answered(live, message.readUInt32BE(0)));
    // An unreachable destination is a lost probe, not the end.
    socket.on("error", () => undefined);
    socket.connect(port, to);
    return socket;
  };
  const live: Live = { samples: [], stop: () => clearInterval(timer) };
  let socket = open();
  let begun = false;
  const timer = setInterval(() => {
    begun ||= live.samples.some(({ took }) => took !== undefined);
    if (!begun && live.samples.length === Math.round(FALSE_START / interval)) {
      socket.close();
      socket = open();
      live.samples.length = 0;
    }
    const message = Buffer.alloc(RECORD);
    message.writeUInt32BE(live.samples.length);
    live.samples.push({ at: now() });
    try {
      socket.send(message, () => undefined);
    } catch {
      // Not connected yet.
    }
  }, interval);
  return live;
}

/** Until the first answer a connection that is refused, reset or not answered is tried again, from another port, as of UDP. */
function tcp({ to, port }: Flow, interval: number): Live {
  let stopping = false;
  let rest = Buffer.alloc(0);
  const ended = (why: string) => {
    if (stopping) return;
    if (live.samples.some(({ took }) => took !== undefined)) live.broken ??= why;
    else setTimeout(() => (socket = open()), interval).unref();
  };
  const open = (): Socket => {
    live.samples.length = 0;
    rest = Buffer.alloc(0);
    let why = "closed";
    const unanswered = setTimeout(() => attempt.destroy(), FALSE_START);
    const attempt = connect(port, to)
      .setNoDelay(true)
      .on("connect", () => clearTimeout(unanswered))
      .on("data", (data) => {
        rest = Buffer.concat([rest, data]);
        for (; rest.length >= RECORD; rest = rest.subarray(RECORD)) answered(live, rest.readUInt32BE(0));
      })
      .on("error", (error) => (why = error.message))
      .on("close", () => ended(why));
    return attempt;
  };
  const live: Live = {
    samples: [],
    stop: () => {
      stopping = true;
      clearInterval(timer);
    },
  };
  let socket = open();
  const timer = setInterval(() => {
    if (!socket.writable || socket.connecting) return;
    const record = Buffer.alloc(RECORD);
    record.writeUInt32BE(live.samples.length);
    live.samples.push({ at: now() });
    socket.write(record);
  }, 2 * interval);
  return live;
}

const { echo: echoPort, interval, flows: wanted } = JSON.parse(process.argv[2]!) as Task;
void echo(echoPort).then(() => process.stdout.write("ready\n"));
const flows = new Map<string, Live>();
process.stdin.once("data", () => {
  for (const flow of wanted) flows.set(flow.name, flow.protocol === "udp" ? udp(flow, interval) : tcp(flow, interval));
});
process.stdin.on("end", () => {
  for (const live of flows.values()) live.stop();
  // Answers may be in flight, and TCP may have to retransmit.
  setTimeout(() => {
    const received = Object.fromEntries(
      [...flows].map(([name, { samples, broken }]): [string, Received] => [name, { samples, ...(broken !== undefined && { broken }) }]),
    );
    process.stdout.write(`${JSON.stringify(received)}\n`, () => process.exit(0));
  }, 2_000);
});
