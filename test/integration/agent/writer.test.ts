/** The ip(8) that waits for lines, on a kernel of its own. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type IpStep, Writer } from "@pulumi-ovn/agent/testing";
import { until } from "@pulumi-ovn/sandbox/testing";

const folder = mkdtempSync(join(tmpdir(), "writer-"));
const kernel = join(folder, "kernel");
const starts = join(folder, "starts");
let holder: number;
/** In the kernel of the test; each start is noted. */
const command = ["sh", "-c", `echo $$ >> ${starts}; exec nsenter -t $(cat ${kernel}) -U -n --preserve-credentials -- "$@"`, "sh"];
const ip = (line: string): string =>
  execFileSync("nsenter", ["-t", String(holder), "-U", "-n", "--preserve-credentials", "--", "ip", ...line.split(" ")], {
    encoding: "utf8",
    stdio: "pipe",
  }).trim();
const pids = (): number[] => readFileSync(starts, "utf8").trim().split("\n").map(Number);
const runs = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const steps = (...lines: string[]): IpStep[] => lines.map((line) => ({ kind: "ip", family: line.includes("::") ? 6 : 4, line, subject: line }));
const add = (address: string, device = "a0") => `route add ${address} dev ${device} table 1087${address.includes(":") ? "" : " scope link"} protocol 87`;
const ending = new AbortController();
let writer: Writer;

beforeAll(async () => {
  execFileSync("sh", [
    "-c",
    `unshare --user --map-root-user --net sh -c 'ip link add a0 type veth peer name b0; ip link set a0 up; ip link set b0 up; echo ready > ${folder}/ready; exec sleep 1000' > /dev/null 2>&1 & echo $! > ${kernel}`,
  ]);
  holder = Number(readFileSync(kernel, "utf8"));
  await until("the kernel", 20_000, () => {
    try {
      return readFileSync(join(folder, "ready"), "utf8") === "ready\n";
    } catch {
      return false;
    }
  });
});
beforeEach(() => {
  writeFileSync(starts, "");
  writer = new Writer({ command, timeout: 20, signal: ending.signal });
});
afterEach(() => {
  writer.end();
  for (const family of ["-4", "-6"]) ip(`${family} route flush table 1087`);
});
afterAll(() => {
  ending.abort();
  process.kill(holder, "SIGKILL");
  rmSync(folder, { recursive: true });
});

test("writes routes of both families and neighbors, call after call, by one process, before it returns", async () => {
  writer.ready();
  expect(
    await writer.take(
      steps(add("198.51.100.5/32"), add("2001:db8::5/128"), "neighbour replace 2001:db8::5 lladdr 0a:00:00:00:00:01 dev a0 nud permanent protocol 87"),
    ),
  ).toBe(true);
  expect([ip("-4 route show table 1087"), ip("-6 route show table 1087"), ip("neigh show nud permanent")]).toEqual([
    "198.51.100.5 dev a0 proto 87 scope link",
    "2001:db8::5 dev a0 proto 87 metric 1024 pref medium",
    "2001:db8::5 dev a0 lladdr 0a:00:00:00:00:01 PERMANENT proto 87",
  ]);
  expect(await writer.take(steps("route del 198.51.100.5/32 dev a0 scope link table 1087 protocol 87", add("198.51.100.6/32")))).toBe(true);
  expect(ip("-4 route show table 1087")).toBe("198.51.100.6 dev a0 proto 87 scope link");
  expect(pids()).toHaveLength(1);
});

test("a refused line fails the call, not the following lines nor the next call; an object that is already deleted is no failure", async () => {
  expect(await writer.take(steps(add("198.51.100.5/32"), add("198.51.100.5/32"), add("198.51.100.6/32")))).toBe(false);
  expect(ip("-4 route show table 1087")).toBe("198.51.100.5 dev a0 proto 87 scope link \n198.51.100.6 dev a0 proto 87 scope link");
  expect(await writer.take(steps("route del 198.51.100.9/32 dev a0 scope link table 1087 protocol 87", add("198.51.100.7/32")))).toBe(true);
  expect(await writer.take(steps(add("198.51.100.8/32"), add("198.51.100.8/32")))).toBe(false);
  expect(pids()).toHaveLength(1);
});

test("a line that ip can't parse ends it: the rest is unknown, and the next call starts another process", async () => {
  expect(await writer.take(steps("route add 198.51.100.5/32 dev a0 table nothing", add("198.51.100.6/32")))).toBe(false);
  expect(ip("-4 route show table 1087")).toBe("");
  await until("its end", 20_000, () => !runs(pids()[0]!));
  await until("another one", 20_000, () => writer.take(steps("route replace 198.51.100.6/32 dev a0 table 1087 protocol 87")));
  expect(new Set(pids()).size).toBeGreaterThan(1);
});

test("a process that is killed between two calls does not fail the next one", async () => {
  await writer.take(steps(add("198.51.100.5/32")));
  process.kill(pids()[0]!, "SIGKILL");
  await until("another one", 20_000, () => writer.take(steps("route replace 198.51.100.6/32 dev a0 table 1087 protocol 87")));
  expect(ip("-4 route show table 1087")).toBe("198.51.100.5 dev a0 proto 87 scope link \n198.51.100.6 dev a0 proto 87 scope link");
});

test("applies all its lines before it ends; the next process asks the kernel which device has a name", async () => {
  const taken = writer.take(steps(add("198.51.100.5/32")));
  writer.end();
  expect(await taken).toBe(true);
  await until("its end", 20_000, () => !runs(pids()[0]!));
  ip("link set a0 down");
  ip("link set a0 name old");
  ip("link set b0 down");
  ip("link set b0 name a0");
  ip("link set a0 up");
  expect(await writer.take(steps(add("198.51.100.6/32")))).toBe(true);
  expect(ip("-4 route show table 1087")).toMatch(/^198.51.100.6 dev a0 /);
  expect(ip("-4 route show table 1087 dev old")).toBe("");
});

test("a process is killed after its timeout or at its signal; one that can't be started reports nothing", async () => {
  const silent = ["sh", "-c", `echo $$ >> ${starts}; exec sleep 1000`, "sh"];
  const late = new Writer({ command: silent, timeout: 0.2 });
  expect(await late.take(steps(add("198.51.100.5/32")))).toBe(false);
  await until("its end", 20_000, () => !runs(pids()[0]!));
  const abort = new AbortController();
  const ended = new Writer({ command: silent, timeout: 20, signal: abort.signal });
  const taken = ended.take(steps(add("198.51.100.5/32")));
  await until("its start", 20_000, () => pids().length === 2);
  abort.abort();
  expect(await taken).toBe(false);
  await until("its end", 20_000, () => !runs(pids()[1]!));
  expect(await new Writer({ command: silent, timeout: 20, signal: abort.signal }).take(steps(add("198.51.100.5/32")))).toBe(false);
  expect(await new Writer({ command: ["/nowhere"], timeout: 20 }).take(steps(add("198.51.100.5/32")))).toBe(false);
});
