import { connect } from "node:net";

/** Milliseconds that an answer may take. An answer takes about a millisecond. */
const ANSWER_TIME = 20_000;

/**
 * Runs a command of a program by its control socket, as ovs-appctl(8) does, without a process of its own. Undefined if the program closes
 * the connection. Throws the program's error, and if the program does not answer.
 */
export async function runCommand(path: string, method: string, params: readonly string[]): Promise<string | undefined> {
  const reply = await replyTo(path, JSON.stringify({ id: 0, method, params }));
  if (reply?.error) throw new CommandRefused(reply.error);
  return reply?.result ?? undefined;
}

/** The program answers that the command has failed. */
export class CommandRefused extends Error {}

interface Reply {
  readonly result?: string | null;
  readonly error?: string | null;
}

async function replyTo(path: string, request: string): Promise<Reply | undefined> {
  const socket = connect(path);
  socket.setTimeout(ANSWER_TIME, () => socket.destroy(new Error("it did not answer")));
  socket.write(request);
  let text = "";
  socket.setEncoding("utf8");
  for await (const chunk of socket) {
    text += chunk as string;
    const reply = parsed(text);
    if (reply !== undefined) return reply;
  }
  return undefined;
}

/** Undefined for a part of a reply. */
function parsed(text: string): Reply | undefined {
  try {
    return text.endsWith("}") ? (JSON.parse(text) as Reply) : undefined;
  } catch {
    return undefined;
  }
}
