import { once } from "node:events";
import { setTimeout } from "node:timers/promises";
import { SandboxError, textOf } from "../kit/errors";
import { duration } from "../kit/progress";
import type { Sandbox } from "../lifecycle/sandbox";
import { upstream, type Workload } from "../plan/layout";

/** One thing that packets have shown, or not. */
export interface Check {
  readonly what: string;
  readonly detail: string;
  readonly failure?: string;
}

/** Milliseconds in which a check must succeed; the first packets are lost while neighbours are resolved. */
const patience = 10_000;

/** The same for a route by BGP: FRR may take 45 s to load a configuration on a busy machine, after another load. */
export const CONVERGENCE = 120_000;

/** The address of a family among some, without its prefix length. */
export const ofFamily = (addresses: readonly string[], family: 4 | 6): string | undefined =>
  addresses.find((address) => address.includes(":") === (family === 6))?.split("/")[0];

/** Repeats some work until it succeeds, or `limit` milliseconds have passed; text that it returns is added to the detail. */
export const attempt = async (what: string, detail: string, work: () => Promise<string | undefined>, limit = patience): Promise<Check> => {
  const deadline = performance.now() + limit;
  for (;;) {
    let failure: string;
    try {
      const more = await work();
      return { what, detail: more === undefined ? detail : `${detail}, ${more}` };
    } catch (error) {
      failure = textOf(error);
    }
    if (performance.now() > deadline) return { what, detail, failure };
  }
};

/** Sends one ping; fails without an answer within a second. */
export const ping = async (sandbox: Sandbox, from: string, to: string, size = 56): Promise<string> => {
  const { code, stdout, stderr } = await sandbox.exec(from, ["ping", "-n", "-c1", "-W1", "-s", String(size), to], { timeout: 5_000 });
  if (code !== 0) throw new SandboxError("lost", `no answer from ${to}${stderr === "" ? "" : `: ${stderr.trim()}`}`);
  return `${/time=([\d.]+ ms)/.exec(stdout)?.[1] ?? "answered"}`;
};

/** A namespace reaches an address. */
export const pingable = (sandbox: Sandbox, what: string, from: string, to: string): Promise<Check> =>
  attempt(what, `${from} -> ${to}`, () => ping(sandbox, from, to));

/** A workload reaches another one. */
export const reaches = (sandbox: Sandbox, from: Workload, to: Workload, family: 4 | 6): Promise<Check> => {
  const target = ofFamily(to.addresses ?? [], family)!;
  return attempt(`workload to workload, IPv${family}`, `${from.name} on ${from.host} -> ${to.name} on ${to.host} ${target}`, () =>
    ping(sandbox, from.name, target),
  );
};

/** A namespace's kernel has a prefix from BGP, by these next hops. */
export const learns = (sandbox: Sandbox, what: string, namespace: string, prefix: string, nextHops: readonly string[]): Promise<Check> => {
  const detail = nextHops.length === 0 ? `${namespace}: no route to ${prefix}` : `${namespace}: ${prefix} by ${nextHops.join(" and ")}`;
  const route = async () => {
    const { stdout } = await sandbox.exec(namespace, ["ip", prefix.includes(":") ? "-6" : "-4", "route", "show", prefix, "proto", "bgp"], { timeout: 5_000 });
    const found = [...stdout.matchAll(/via (?:inet6 )?(\S+)/g)].map(([, hop]) => hop).sort();
    if (found.join() !== [...nextHops].sort().join())
      throw new SandboxError("path", found.length === 0 ? "there is no route" : `its next hops are ${found.join(" and ")}`);
    return undefined;
  };
  return attempt(what, detail, route, CONVERGENCE);
};

/** Checks that packets from a namespace to the upstream router arrive with one of these source addresses. */
export const leavesAs = (sandbox: Sandbox, what: string, from: string, target: string, sources: readonly string[]): Promise<Check> =>
  attempt(what, `${from} -> ${target} as ${sources.join(" or ")}`, async () => {
    const source = await sourceSeenOutside(sandbox, from, target, target.includes(":") ? 6 : 4, 200 + (nextSize++ % 200));
    if (!sources.includes(source)) throw new SandboxError("path", `the upstream router saw it come from ${source}`);
    return undefined;
  });

/** Parallel checks distinguish their requests by size. */
let nextSize = 0;

const SERVER =
  'require("net").createServer((socket) => socket.on("error", () => {}).end(process.argv[1])).listen(Number(process.argv[2]), "::", () => console.log("ready"))';
const CLIENT =
  'require("net").connect({ host: process.argv[1], port: Number(process.argv[2]), timeout: 1000 }).on("timeout", () => process.exit(1)).on("error", () => process.exit(1)).pipe(process.stdout)';

/** Answers connections in a namespace with the namespace's name, for as long as the work takes. */
export const serving = async <T>(sandbox: Sandbox, namespace: string, port: number, work: () => Promise<T>): Promise<T> => {
  const server = await sandbox.spawn(namespace, [process.execPath, "-e", SERVER, namespace, String(port)]);
  try {
    await Promise.race([once(server.process.stdout!, "data"), server.exit]);
    return await work();
  } finally {
    server.signal("SIGKILL");
    await server.exit;
  }
};

/** Name of the namespace that answers a TCP connection and is {@link serving}; undefined without an answer within a second. */
const answer = async (sandbox: Sandbox, from: string, host: string, port: number): Promise<string | undefined> => {
  const { code, stdout } = await sandbox.exec(from, [process.execPath, "-e", CLIENT, host, String(port)], { timeout: 10_000 });
  return code === 0 && stdout !== "" ? stdout : undefined;
};

/** A TCP connection is answered by one of these namespaces. */
export const connects = (sandbox: Sandbox, what: string, from: string, host: string, port: number, by: readonly string[]): Promise<Check> =>
  attempt(what, `${from} -> ${host} port ${port}`, async () => {
    const name = await answer(sandbox, from, host, port);
    if (name === undefined || !by.includes(name)) throw new SandboxError("path", name === undefined ? "no answer" : `${name} answered`);
    return `answered by ${name}`;
  });

/** A TCP connection is not answered; tell it after one that is, or it proves nothing. */
export const blocked = async (sandbox: Sandbox, what: string, from: string, host: string, port: number): Promise<Check> => {
  const name = await answer(sandbox, from, host, port);
  return { what, detail: `${from} -> ${host} port ${port}, no answer`, ...(name !== undefined && { failure: `${name} answered` }) };
};

/**
 * Pings an address of the upstream router and returns the source address of the request there.
 * @param size of the request, which identifies it whatever its addresses have become
 */
export const sourceSeenOutside = async (sandbox: Sandbox, from: string, target: string, family: 4 | 6, size: number): Promise<string> => {
  const filter = family === 4 ? "icmp[icmptype] == 8" : "icmp6 and ip6[40] == 128";
  const capture = await sandbox.spawn(upstream, ["tcpdump", "-n", "-l", "--immediate-mode", "-i", "eth0", filter, "and", "dst", "host", target]);
  const pattern = new RegExp(`IP6? (\\S+) > ${target}: .* length ${size + 8}$`, "m");
  let text = "";
  const listening = new Promise<void>((resolve) =>
    capture.process.stderr!.on("data", (data: Buffer) => {
      if (data.includes("listening")) resolve();
    }),
  );
  const arrived = new Promise<void>((resolve) =>
    capture.process.stdout!.on("data", (data: Buffer) => {
      text += data.toString();
      if (pattern.test(text)) resolve();
    }),
  );
  try {
    await Promise.race([listening, capture.exit]);
    await ping(sandbox, from, target, size);
    await Promise.race([arrived, capture.exit, setTimeout(1000, undefined, { ref: false })]);
  } finally {
    capture.signal("SIGKILL");
    await capture.exit;
  }
  return pattern.exec(text)?.[1] ?? "nowhere";
};

/** Those that have failed. */
export const failed = (checks: readonly Check[]): Check[] => checks.filter(({ failure }) => failure !== undefined);

/** Whether all have succeeded, in how many milliseconds, and the checks as a table. */
export const outcomeText = (checks: readonly Check[], milliseconds: number): string => {
  const count = failed(checks).length;
  return `${count === 0 ? "proved" : `${count} of ${checks.length} checks failed`}, ${duration(milliseconds)} in all\n${proofText(checks)}\n`;
};

/** The checks as a table. */
export const proofText = (checks: readonly Check[]): string => {
  const width = Math.max(...checks.map((check) => check.what.length));
  return checks
    .map(
      ({ what, detail, failure }) =>
        `  ${failure === undefined ? "ok    " : "FAILED"}  ${what.padEnd(width)}  ${detail}${failure === undefined ? "" : `: ${failure}`}`,
    )
    .join("\n");
};
