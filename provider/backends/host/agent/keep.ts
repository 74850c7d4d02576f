import { hash } from "node:crypto";
import { runOnHost, type HostTarget } from "../../flows/shell/host";
import { quote, type Step } from "../../flows/shell/script";
import { HostStateError } from "../errors";
import { KEPT_FOLDER } from "./kept";

const folderOf = ({ host }: HostTarget): string => host.agentFolder ?? KEPT_FOLDER;

/**
 * Writes a file of the host's agent, by the way that its programs are run. It is replaced as a whole, and is on the disk when this
 * returns: a host that loses power has the old one or the new one. The flows in it may hold secrets, so only its owner reads it.
 */
export async function keep(target: HostTarget, name: string, text: string): Promise<void> {
  const folder = folderOf(target);
  const [file, part] = [quote(`${folder}/${name}`), quote(`${folder}/.${name}.part`)];
  await run(target, folder, {
    argv: ["sh", "-c", `umask 077 && mkdir -p ${quote(folder)} && cat > ${part} && { sync ${part} 2>/dev/null || sync; } && mv -f ${part} ${file}`],
    input: text,
  });
}

/** Removes a file of the host's agent, if there is one. */
export async function forget(target: HostTarget, name: string): Promise<void> {
  const folder = folderOf(target);
  await run(target, folder, { argv: ["rm", "-f", `${folder}/${name}`] });
}

/** undefined: the host has this file, and this text in it. */
export async function keptProblem(target: HostTarget, name: string, text: string): Promise<"missing" | "not that of the last update" | undefined> {
  const folder = folderOf(target);
  const file = quote(`${folder}/${name}`);
  const { stdout } = await run(target, folder, { argv: ["sh", "-c", `if [ -e ${file} ]; then sha256sum < ${file}; fi`] });
  if (stdout.trim() === "") return "missing";
  return stdout.startsWith(hash("sha256", text, "hex")) ? undefined : "not that of the last update";
}

async function run(target: HostTarget, folder: string, step: Step) {
  const [result] = await runOnHost(target, [step]);
  if (result!.status === 0) return result!;
  throw new HostStateError(
    "OVN_AGENT_FILE",
    `the host's folder for its agent, ${folder}, can't be used: ${result!.stderr.trim().split("\n").at(-1)}; correct its rights, or "agentFolder" of the host in the file of targets`,
  );
}
