import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { processTree, projectRoot } from "@pulumi-ovn/sandbox/testing";
import { killAll } from "../../support/processes";

const COMMAND = `"${process.execPath}" "${join(projectRoot, "sdk/bin/pulumi-ovn.js")}"`;
const shell = (script: string) => promisify(execFile)("sh", ["-c", script]).then(({ stdout, stderr }) => ({ stdout, stderr }));

it("fails with one line if the disk is full", async () => {
  expect(await shell(`${COMMAND} --help > /dev/full; echo $?`)).toEqual({
    stdout: "1\n",
    stderr: "pulumi-ovn: can't write to standard output: ENOSPC: no space left on device, write\n",
  });
});

it("does not fail without a reader of output or errors", async () => {
  expect(await shell(`{ sleep 0.2; ${COMMAND} --help; echo $? >&2; } | true`)).toEqual({ stdout: "", stderr: "0\n" });
  expect(await shell(`${COMMAND} nothing 2> /dev/full; echo $?`)).toEqual({ stdout: "2\n", stderr: "" });
});

describe("progress", () => {
  const folder = mkdtempSync(join(tmpdir(), "progress-"));
  const file = (name: string, value: unknown) => {
    writeFileSync(join(folder, name), JSON.stringify(value));
    return join(folder, name);
  };
  afterAll(() => rmSync(folder, { recursive: true }));

  const type = "pulumi-nodejs:dynamic/ovn:Layer2Switch";
  const outputs = { zone: "z", name: "blue", subnets: ["10.0.0.0/16"], digest: "d", owner: "o" };
  const resource = { urn: `urn:pulumi:dev::net::${type}::blue`, type, id: "i", custom: true, inputs: { zone: "z", name: "blue" }, outputs };
  const state = file("state.json", { version: 3, deployment: { resources: [resource] } });
  const preview = file("preview.json", { steps: [] });
  const targets = file("targets.yaml", { zones: { z: { northbound: `unix:${folder}/none` } } });
  file("Pulumi.yaml", { name: "net", runtime: "nodejs" });

  // A Pulumi CLI that knows one stack, and whose previews fail.
  const cli = 'case "$1" in version) echo v3.258.0;; stack) echo dev;; config) echo "{}";; *) exit 1;; esac';
  writeFileSync(join(folder, "pulumi"), `#!/bin/sh\n${cli}\n`, { mode: 0o755 });

  const env = { ...process.env, PULUMI_OVN_TARGETS: targets, PATH: `${folder}:${process.env["PATH"]}` };
  const run = (program: string, args: readonly string[]) => promisify(execFile)(program, args, { env });
  const bar = (text: string) => `\r\u001b[K${text}`;

  // Standard output is not a terminal here, as in a script that reads it.
  it.each<[name: string, args: string, lines: readonly string[]]>([
    ["drift", `--state ${state} --cwd ${folder}`, ["comparing resources: 0 s", "comparing resources: 0 of 1, 0 s"]],
    ["status", `--state ${state} --cwd ${folder}`, ["asking hosts: 0 s"]],
    ["import", `--cwd ${folder} --stack dev --out ${folder}/out`, ["reading zones: 0 s", "reading zones: 0 of 1, 0 s"]],
    [
      "simulate",
      `--preview ${preview}`,
      ["copying zones", "applying the plan to zones", "simulating connections", "judging intents"].map((what) => `${what}: 0 s`),
    ],
    ["diff", `--cwd ${folder} --stack none`, ["pulumi preview: 0 s"]],
    ["upgrade", `--cwd ${folder} --stack dev`, ["pulumi preview: 0 s"]],
  ])("of %s is on a terminal, and not in a pipe", async (name, args, lines) => {
    const command = `${name} ${args}`;
    const { stdout: terminal } = await run("script", ["-qc", `${COMMAND} ${command} >/dev/null; true`, "/dev/null"]);
    let at = 0;
    for (const line of lines) {
      const found = terminal.indexOf(bar(line), at);
      expect([line, found >= at ? "shown" : terminal]).toEqual([line, "shown"]);
      at = found;
    }
    expect((await run("sh", ["-c", `${COMMAND} ${command} >/dev/null; true`])).stderr).not.toContain("\r");
  });

  it("of the agent is its log, with the reason of a wait at its start", async () => {
    const agent = `${COMMAND} agent --vpc --openvswitch unix:${folder}/none --folder ${folder} --listen 127.0.0.1:0`;
    const child = spawn("script", ["-qc", agent, "/dev/null"], { env, stdio: ["ignore", "pipe", "inherit"] });
    try {
      const [line] = await once(createInterface(child.stdout), "line");
      expect(line).toMatch(/none.*; trying again$/);
    } finally {
      killAll(processTree(child.pid!));
    }
  });
});
