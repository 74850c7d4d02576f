import { hash } from "node:crypto";
import { runOnHost, type Place } from "../flows/host";
import { quote, type Step } from "../flows/script";
import { HostStateError } from "./errors";
import { KEPT_FOLDER } from "./kept";

const folderOf = ({ host }: Place): string => host.agentFolder ?? KEPT_FOLDER;

/**
 * Writes a file of the host's agent, by the way that its programs are run. It is replaced as a whole, and is on the disk when this
 * returns: a host that loses power has the old one or the new one. The flows in it may hold secrets, so only its owner reads it.
 */
export async function keep(place: Place, name: string, text: string): Promise<void> {
  const folder = folderOf(place);
  const [file, part] = [quote(`${folder}/${name}`), quote(`${folder}/.${name}.part`)];
  await run(place, folder, {
    argv: ["sh", "-c", `umask 077 && mkdir -p ${quote(folder)} && cat > ${part} && { sync ${part} 2>/dev/null || sync; } && mv -f ${part} ${file}`],
    input: text,
  });
}

/** Removes a file of the host's agent, if there is one. */
export async function forget(place: Place, name: string): Promise<void> {
  const folder = folderOf(place);
  await run(place, folder, { argv: ["rm", "-f", `${folder}/${name}`] });
}

/** undefined: the host has this file, and this text in it. */
export async function keptProblem(place: Place, name: string, text: string): Promise<"missing" | "not that of the last update" | undefined> {
  const folder = folderOf(place);
  const file = quote(`${folder}/${name}`);
  const { stdout } = await run(place, folder, { argv: ["sh", "-c", `if [ -e ${file} ]; then sha256sum < ${file}; fi`] });
  if (stdout.trim() === "") return "missing";
  return stdout.startsWith(hash("sha256", text, "hex")) ? undefined : "not that of the last update";
}

async function run(place: Place, folder: string, step: Step) {
  const [result] = await runOnHost(place, [step]);
  if (result!.status === 0) return result!;
  throw new HostStateError(
    "OVN_AGENT_FILE",
    `the host's folder for its agent, ${folder}, can't be used: ${result!.stderr.trim().split("\n").at(-1)}; correct its rights, or "agentFolder" of the host in the file of targets`,
  );
}
