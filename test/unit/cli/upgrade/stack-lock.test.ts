import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { locksIn, waitForStack } from "@pulumi-ovn/cli/testing";
import { until } from "../../../support/until";

/** Above the largest number that Linux gives to a process. */
const GONE = 4_194_305;
const HERE = hostname();

interface Lock {
  readonly pid: number;
  readonly host?: string;
  readonly url?: string;
}

/** Message of Pulumi 3.258, wrapped by the Automation API. */
const locked = (...locks: Lock[]) =>
  new Error(
    `code: 255\n stdout: \n stderr: error: the stack is currently locked by ${locks.length} lock(s). Either wait for the other process(es) to end or delete the lock file with \`pulumi cancel\`.\n${locks
      .map(({ pid, host = HERE, url = "s3://bucket/.pulumi/locks/x.json" }) => `  ${url}: created by root@${host} (pid ${pid}) at 2026-11-21T02:00:00Z`)
      .join("\n")}\n err?: Error\n`,
  );

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), "locks- 100%"))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the operation with these failures, one after the other. */
async function met(failures: readonly Error[], patience?: number) {
  const done: string[] = [];
  const left = [...failures];
  const operation = () => (left.length === 0 ? Promise.resolve("up") : Promise.reject(left.shift()!));
  const cancel = () => Promise.resolve(void done.push("cancel"));
  const outcome = await waitForStack(operation, { cancel }, (text) => void done.push(text), patience).catch((error: Error) => error);
  return { outcome, done };
}
const away = (pid: number) => `process ${pid}, which had locked the stack, has ended: removing its lock`;

it("every lock is reported", () => {
  expect(locksIn(locked({ pid: 17, host: "h1", url: "file:///a b/x.json?no_tmp_dir=true" }, { pid: 18, host: "h2" }))).toEqual([
    { url: "file:///a b/x.json?no_tmp_dir=true", host: "h1", pid: 17 },
    { url: "s3://bucket/.pulumi/locks/x.json", host: "h2", pid: 18 },
  ]);
  expect(locksIn(new Error("x: created by root@h1 (pid 17)"))).toEqual([]);
});

it("locks of processes that ended are removed", async () => {
  expect(await met([locked({ pid: GONE }, { pid: GONE + 1 })])).toEqual({ outcome: "up", done: [away(GONE), away(GONE + 1), "cancel"] });
});

it("locks in files are removed one by one, because another process may have created one since", async () => {
  for (const name of ["dead.json", "dead.json.attrs", "since.json", "since.json.attrs"]) writeFileSync(join(folder, name), "{}");
  const url = `${pathToFileURL(join(folder, "dead.json")).href}?no_tmp_dir=true`;
  expect(await met([locked({ pid: GONE, url })])).toEqual({ outcome: "up", done: [away(GONE)] });
  expect(readdirSync(folder)).toEqual(["since.json", "since.json.attrs"]);
});

it.each(["file:///nowhere/x.json", "file:///%zz/x.json", "file://elsewhere/x.json"])("a lock whose file is not found is removed by Pulumi: %s", async (url) => {
  expect((await met([locked({ pid: GONE, url })])).done).toEqual([away(GONE), "cancel"]);
});

it("a running process's lock is waited for, and nothing is removed", async () => {
  const path = join(folder, "dead.json");
  writeFileSync(path, "{}");
  const both = locked({ pid: GONE, url: pathToFileURL(path).href }, { pid: process.pid });
  const { outcome, done } = await met([both, both], -1);
  expect([outcome, done, existsSync(path)]).toEqual([both, [], true]);
  expect(await met([both, locked({ pid: GONE })])).toEqual({
    outcome: "up",
    done: [`process ${process.pid} works on the stack: waiting for it`, away(GONE), "cancel"],
  });
});

/** Prints the number of a process that becomes defunct, because its parent never reads exit codes. */
const DEFUNCT = '(until read name </proc/$$/comm && [ "$name" = sleep ]; do :; done) & echo $!; exec sleep 60';

it("the lock of a defunct process is removed", async () => {
  const parent = spawn("sh", ["-c", DEFUNCT], { stdio: ["ignore", "pipe", "ignore"] });
  try {
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(String(text));
    await until(() => readFileSync(`/proc/${pid}/stat`, "utf8").includes(") Z "));
    expect(await met([locked({ pid })], -1)).toEqual({ outcome: "up", done: [away(pid), "cancel"] });
  } finally {
    parent.kill("SIGKILL");
  }
});

it("another machine's lock is kept, and so are all others next to it", async () => {
  for (const locks of [[{ pid: GONE, host: "elsewhere" }], [{ pid: GONE }, { pid: GONE, host: "elsewhere" }]]) {
    const failure = locked(...locks);
    expect(await met([failure])).toEqual({ outcome: failure, done: [] });
  }
});

it("another failure of the operation causes no wait", async () => {
  const failure = new Error("no stack named dev");
  expect(await met([failure])).toEqual({ outcome: failure, done: [] });
});
