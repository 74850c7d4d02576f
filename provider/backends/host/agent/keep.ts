import { hash } from "node:crypto";
import type { Subject } from "../../contract/backend";
import { hostTargetOf } from "../../flows/backend";
import { runOnHost, type HostTarget } from "../../flows/shell/host";
import { recorded } from "../../flows/engine/record";
import { quote, type Step } from "../../flows/shell/script";
import { HostStateError } from "../errors";
import { KEPT_FOLDER, keptName } from "./kept";

const folderOf = ({ host }: HostTarget): string => host.agentFolder ?? KEPT_FOLDER;

/**
 * Writes the resource's file for the host's agent, by the way that its programs are run. It is replaced as a whole, and is on the disk when
 * this returns: a host that loses power has the old one or the new one. The flows in it may hold secrets, so only its owner reads it.
 */
export async function keep(subject: Subject, text: string): Promise<void> {
  const { target, folder, name, file } = keptFileOf(subject);
  const part = quote(`${folder}/.${name}.part`);
  await changingFile(subject, () =>
    run(target, folder, {
      argv: [
        "sh",
        "-c",
        `umask 077 && mkdir -p ${quote(folder)} && { cat > ${part} && { sync ${part} 2>/dev/null || sync; } && mv -f ${part} ${quote(file)} || { rm -f ${part}; exit 1; }; }`,
      ],
      input: text,
    }),
  );
}

/** Removes the resource's file for the host's agent, if there is one. */
export async function forget(subject: Subject): Promise<void> {
  const { target, folder, file } = keptFileOf(subject);
  await changingFile(subject, () => run(target, folder, { argv: ["rm", "-f", file] }));
}

/** undefined: the host has this file, and this text in it. */
export async function keptProblem(subject: Subject, text: string): Promise<"missing" | "not that of the last update" | undefined> {
  const { target, folder, file } = keptFileOf(subject);
  const { stdout } = await run(target, folder, { argv: ["sh", "-c", `if [ -e ${quote(file)} ]; then sha256sum < ${quote(file)}; fi`] });
  if (stdout.trim() === "") return "missing";
  return stdout.startsWith(hash("sha256", text, "hex")) ? undefined : "not that of the last update";
}

function keptFileOf(subject: Subject) {
  const target = hostTargetOf(subject);
  const [folder, name] = [folderOf(target), keptName(subject.urn)];
  return { target, folder, name, file: `${folder}/${name}` };
}

function changingFile(subject: Subject, work: () => Promise<unknown>): Promise<unknown> {
  const { target, folder, file } = keptFileOf(subject);
  const look = async () => {
    const { stdout } = await run(target, folder, { argv: ["sh", "-c", `if [ -e ${quote(file)} ]; then cat ${quote(file)}; fi`] });
    return [{ name: `file/${file}`, image: stdout }];
  };
  return recorded(subject, look, work);
}

async function run(target: HostTarget, folder: string, step: Step) {
  const [result] = await runOnHost(target, [step]);
  if (result!.status === 0) return result!;
  throw new HostStateError(
    "OVN_AGENT_FILE",
    `the host's folder for its agent, ${folder}, can't be used: ${result!.stderr.trim().split("\n").at(-1)}; free space there, correct its rights, or set another "agentFolder" of the host in the file of targets`,
  );
}
