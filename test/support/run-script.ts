import type { Sandbox } from "@pulumi-ovn/sandbox";

/** Runs a shell script in a namespace of the sandbox and returns its output. The first failing command ends it and fails the test. */
export async function runScript(sandbox: Pick<Sandbox, "exec">, place: string, script: string, timeout = 30_000): Promise<string> {
  const { code, stdout, stderr } = await sandbox.exec(place, ["sh", "-se"], { input: script, timeout });
  if (code !== 0) throw new Error(`${place}: ${stderr}`);
  return stdout.trim();
}
