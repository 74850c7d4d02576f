import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../../../sandbox/pulumi-cli";

const COMMAND = `"${process.execPath}" "${join(projectRoot, "sdk/bin/pulumi-ovn.js")}"`;
const shell = (script: string) => promisify(execFile)("sh", ["-c", script]).then(({ stdout, stderr }) => ({ stdout, stderr }));

it("on a full disk is a failure, said in one line", async () => {
  expect(await shell(`${COMMAND} --help > /dev/full; echo $?`)).toEqual({
    stdout: "1\n",
    stderr: "pulumi-ovn: can't write to standard output: ENOSPC: no space left on device, write\n",
  });
});

it("that nobody reads is none, nor is an error that nobody reads", async () => {
  expect(await shell(`{ sleep 0.2; ${COMMAND} --help; echo $? >&2; } | true`)).toEqual({ stdout: "", stderr: "0\n" });
  expect(await shell(`${COMMAND} nothing 2> /dev/full; echo $?`)).toEqual({ stdout: "2\n", stderr: "" });
});

it("has progress on a terminal, and none in a pipe", async () => {
  const folder = mkdtempSync(join(tmpdir(), "progress-"));
  try {
    const type = "pulumi-nodejs:dynamic/ovn:Layer2Switch";
    const outputs = { zone: "z", name: "blue", subnets: ["10.0.0.0/16"], digest: "d", owner: "o" };
    const resource = { urn: `urn:pulumi:dev::net::${type}::blue`, type, id: "i", custom: true, inputs: { zone: "z", name: "blue" }, outputs };
    const state = join(folder, "state.json");
    writeFileSync(state, JSON.stringify({ version: 3, deployment: { resources: [resource] } }));
    writeFileSync(join(folder, "targets.yaml"), JSON.stringify({ zones: { z: { northbound: `unix:${folder}/none` } } }));
    const drift = `${COMMAND} drift --state ${state} --cwd ${folder}`;
    const env = { ...process.env, PULUMI_OVN_TARGETS: join(folder, "targets.yaml") };
    const run = (file: string, args: readonly string[]) => promisify(execFile)(file, args, { env }).then(({ stdout, stderr }) => ({ stdout, stderr }));
    // Standard output is no terminal here, as in a script that reads it.
    const { stdout: terminal } = await run("script", ["-qc", `${drift} >/dev/null`, "/dev/null"]);
    expect(terminal).toMatch(/^\r\u001b\[Kcomparing resources: 0 s\r\u001b\[Kcomparing resources: 0 of 1, 0 s[^]*\r\u001b\[K$/);
    expect((await run("sh", ["-c", `${drift} >/dev/null; true`])).stderr).toBe("");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
