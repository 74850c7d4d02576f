import { execFile } from "node:child_process";
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
