import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { until } from "../../support/until";
import { vpcState } from "../../support/vpc-state";
import { SAMPLE } from "../../unit/vpc/sample";

const COMMAND = join(projectRoot, "sdk/bin/pulumi-ovn.js");
let folder: string;
let asked: string;
let grouped: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "signals-"));
  [asked, grouped] = [join(folder, "asked"), join(folder, "grouped")];
  const silent = join(folder, "silent.sh");
  // A database that never answers, behind a program that ignores the end of its input.
  writeFileSync(silent, `#!/bin/sh\necho $$ >> ${asked}\nexec sleep 3600\n`, { mode: 0o755 });
  // The commands of hosts and zones are process groups, and ignore the end of their input.
  const slow = join(folder, "slow.sh");
  writeFileSync(slow, `#!/bin/sh\ntrap "" TERM\nsleep 3600 & echo $! >> ${grouped}\necho $$ >> ${grouped}\nwait\n`, { mode: 0o755 });
  const host = { openvswitch: `exec:${silent}`, command: [slow] };
  writeFileSync(
    join(folder, "targets.yaml"),
    JSON.stringify({ zones: { z: `exec:${silent}`, y: `exec:${slow} | cat` }, hosts: { h1: host, h2: host, h3: host } }),
  );
  writeFileSync(join(folder, "state.json"), JSON.stringify(vpcState(SAMPLE)));
  writeFileSync(join(folder, "Pulumi.yaml"), "name: net\nruntime: nodejs\n");
  writeFileSync(join(folder, "Pulumi.dev.yaml"), "config: { ovn:targets: targets.yaml }\n");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

jest.setTimeout(60_000);
const pidsIn = (file: string) => (existsSync(file) ? (readFileSync(file, "utf8").match(/^\d+$/gm) ?? []).map(Number) : []);
const isAlive = (pid: number) => existsSync(`/proc/${pid}`);
const environment = () => ({ ...process.env, PULUMI_OVN_TARGETS: join(folder, "targets.yaml"), PULUMI_OVN_ZONES: undefined });

const inStack = () => ["--state", join(folder, "state.json"), "--cwd", folder];
const importing = (out: string) => ["import", "--config", join(folder, "Pulumi.dev.yaml"), "--out", out];
const BOTH = { alone: 1, grouped: 2 };
it.each<[string, NodeJS.Signals, number, typeof BOTH, (out: string) => string[]]>([
  ["import", "SIGINT", 130, BOTH, importing],
  ["import", "SIGTERM", 143, BOTH, importing],
  ["status", "SIGINT", 130, BOTH, () => ["status", ...inStack()]],
  ["status --watch", "SIGINT", 130, BOTH, () => ["status", "--watch", ...inStack()]],
  ["status --watch", "SIGHUP", 129, BOTH, () => ["status", "--watch", ...inStack()]],
  ["egress", "SIGTERM", 143, BOTH, () => ["egress", "drain", "y", "--config", join(folder, "Pulumi.dev.yaml")]],
  ["trace, which asks a switch,", "SIGINT", 130, { alone: 0, grouped: 2 }, () => ["trace", "--from", "w1", "--to", "192.0.2.1", ...inStack()]],
  ["trace, which looks for a port,", "SIGTERM", 143, { alone: 1, grouped: 0 }, () => ["trace", "--from", "d2", "--to", "192.0.2.1", ...inStack()]],
])("%s ends at %s with code %i, silently, and leaves nothing", async (_what, signal, code, programs, args) => {
  const out = join(folder, "out");
  const child = spawn(process.execPath, [COMMAND, ...args(out)], { cwd: folder, env: environment(), stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += String(data)));
  const ended = new Promise((resolve) => child.once("close", (status, by) => resolve([status, by])));
  await until(() => pidsIn(asked).length >= programs.alone && pidsIn(grouped).length >= programs.grouped);
  child.kill(signal);
  expect(await ended).toEqual([code, null]);
  expect(said).toBe("");
  expect(existsSync(out)).toBe(false);
  await until(() => ![asked, grouped].flatMap(pidsIn).some(isAlive));
});

describe("a preview that diff runs", () => {
  /** A CLI whose plugins are in groups of their own, as Pulumi's are. */
  const pulumi = (onInterrupt: string) =>
    writeFileSync(
      join(folder, "pulumi"),
      `#!/bin/sh\ntrap '${onInterrupt}' INT\nsetsid sleep 3600 &\nplugin=$!\necho $plugin >> ${grouped}\necho $$ >> ${grouped}\nwhile :; do wait $plugin; done\n`,
      { mode: 0o755 },
    );
  const diff = () => {
    const child = spawn(process.execPath, [COMMAND, "diff", "--cwd", folder], {
      cwd: folder,
      env: { ...environment(), PATH: `${folder}:${process.env["PATH"]}` },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let said = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (data) => (said += String(data)));
    return { child, said: () => said, ended: new Promise((resolve) => child.once("close", (status, by) => resolve([status, by]))) };
  };

  it.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("ends at %s with all that it has started, and diff after it with code %i", async (signal, code) => {
    pulumi("{ kill $plugin; wait $plugin; } 2>/dev/null; echo stopped >&2; exit 255");
    const { child, said, ended } = diff();
    await until(() => pidsIn(grouped).length === 2);
    child.kill(signal);
    expect([await ended, said()]).toEqual([[code, null], "stopped\n"]);
    expect(pidsIn(grouped).filter(isAlive)).toEqual([]);
  });

  it("is killed at the second signal if it does not end at the first", async () => {
    pulumi(`echo asked >> ${asked}`);
    const { child, said, ended } = diff();
    await until(() => pidsIn(grouped).length === 2);
    child.kill("SIGTERM");
    await until(() => existsSync(asked));
    child.kill("SIGTERM");
    const [plugin, cli] = pidsIn(grouped);
    await until(() => !isAlive(cli!));
    process.kill(plugin!, "SIGKILL");
    expect([await ended, said()]).toEqual([[143, null], ""]);
  });
});

it("the export of the state ends with status", async () => {
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\necho $$ >> ${grouped}\nsleep 3600 & echo $! >> ${grouped}\nwait\n`, { mode: 0o755 });
  const env = { ...environment(), PATH: `${folder}:${process.env["PATH"]}` };
  const child = spawn(process.execPath, [COMMAND, "status", "--cwd", folder], { cwd: folder, env, stdio: "ignore" });
  const ended = new Promise((resolve) => child.once("close", resolve));
  await until(() => pidsIn(grouped).length === 2);
  child.kill("SIGTERM");
  expect(await ended).toBe(143);
  await until(() => !pidsIn(grouped).some(isAlive));
});

it("status --watch ends without a reader of its output", async () => {
  const state = join(folder, "empty.json");
  const save = (stack: string) =>
    writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources: [{ urn: `urn:pulumi:${stack}::net::pulumi:pulumi:Stack::s`, type: "s" }] } }));
  save("one");
  const child = spawn(process.execPath, [COMMAND, "status", "--watch", "--interval", "1", "--json", "--state", state, "--cwd", folder], {
    cwd: folder,
    env: environment(),
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const [first] = (await once(child.stdout, "data")) as [Buffer];
    expect(JSON.parse(String(first))).toMatchObject({ stack: "one", problems: 0 });
    child.stdout.destroy();
    save("two");
    await until(() => child.exitCode !== null);
    expect(child.exitCode).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});

describe("colours", () => {
  const preview = { steps: [{ op: "create", urn: "urn:pulumi:dev::net::kubernetes:core/v1:Pod::p", newState: { type: "x", inputs: {} } }] };
  const commands = () => {
    writeFileSync(join(folder, "preview.json"), JSON.stringify(preview));
    mkdirSync(join(folder, "bare"));
    const dead = { openvswitch: `unix:${folder}/none`, command: ["false"] };
    writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ hosts: { h1: dead, h2: dead, h3: dead } }));
    return [`diff ${join(folder, "preview.json")}`, `status --state ${join(folder, "state.json")} --cwd ${folder}`];
  };
  /** Its output on a terminal. */
  const onTerminal = async (command: string, more: NodeJS.ProcessEnv) => {
    const { FORCE_COLOR: _force, NO_COLOR: _no, CI: _ci, ...inherited } = environment() as NodeJS.ProcessEnv;
    const env = { ...inherited, TERM: "xterm-256color", ...more };
    return (await promisify(execFile)("script", ["-qc", `${process.execPath} ${COMMAND} ${command}`, "/dev/null"], { env })).stdout;
  };

  // Progress, on standard error, clears its line also without colours.
  const COLOUR = /\u001b\[[\d;]*m/;
  it("are for terminals, unless NO_COLOR is set", async () => {
    for (const command of commands()) {
      expect(await onTerminal(command, {})).toMatch(COLOUR);
      expect(await onTerminal(command, { NO_COLOR: "1" })).not.toMatch(COLOUR);
      expect(await onTerminal(`${command} | cat`, {})).not.toMatch(COLOUR);
    }
  });
});
