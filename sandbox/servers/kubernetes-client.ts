import { readFile } from "node:fs/promises";
import { Agent, request, type RequestOptions } from "node:https";
import { isErrno, SandboxError } from "../kit/errors";

export interface KubernetesAnswer {
  readonly status: number;
  /** Parsed, where it is JSON. */
  readonly body: any;
}

export interface KubernetesRequest {
  /** Content type of the body. Default: `application/json`. */
  readonly type?: string;
  /** One of the users of the kubeconfig. Default: that of its current context. */
  readonly user?: string;
  /** Milliseconds. Default: none. */
  readonly timeout?: number;
}

/** New connections cost more than most requests. Idle ones keep no process alive. */
const connections = new Agent({ keepAlive: true });

/** Client of an API server that this folder has started; independent of the provider's client. */
export class KubernetesClient {
  constructor(readonly kubeconfig: string) {}

  /** Returns any answer, also an error status. */
  async ask(method: string, path: string, body?: unknown, { type = "application/json", user, timeout }: KubernetesRequest = {}): Promise<KubernetesAnswer> {
    const config = JSON.parse(await readFile(this.kubeconfig, "utf8")) as Kubeconfig;
    const { cluster } = config.clusters[0];
    const ca = await readFile(cluster["certificate-authority"]);
    const headers = { authorization: `Bearer ${tokenOf(config, user)}`, "content-type": type };
    const text = typeof body === "string" ? body : body === undefined ? undefined : JSON.stringify(body);
    return answered(`${cluster.server}${path}`, { method, ca, timeout, headers }, text);
  }

  /** A request that has to succeed; the answer's body. */
  async must(method: string, path: string, body?: unknown, options?: KubernetesRequest): Promise<KubernetesAnswer["body"]> {
    const answer = await this.ask(method, path, body, options);
    if (answer.status >= 300) throw new SandboxError("kubernetes", `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

const answered = (url: string, options: RequestOptions, body: string | undefined): Promise<KubernetesAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(url, { ...options, agent: connections }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode!, body: parsed(Buffer.concat(chunks).toString()) }));
      response.once("error", reject);
    });
    // A server that ended or closed an idle connection may not have reported it yet.
    sent.once("error", (error) =>
      sent.reusedSocket && (isErrno(error, "ECONNRESET") || isErrno(error, "EPIPE")) ? resolve(answered(url, options, body)) : reject(error),
    );
    sent.once("timeout", () => sent.destroy(new SandboxError("timeout", `${options.method} ${url}: no answer within ${options.timeout} ms`)));
    sent.end(body);
  });

/** The token of a user; of that of the current context by default. */
export const tokenOf = (config: Kubeconfig, user = config["current-context"]): string => config.users.find(({ name }) => name === user)!.user.token;

/** A kubeconfig as the sandbox writes it. */
export interface Kubeconfig {
  readonly "current-context": string;
  readonly clusters: readonly [{ readonly cluster: { readonly server: string; readonly "certificate-authority": string } }];
  readonly users: readonly { readonly name: string; readonly user: { readonly token: string } }[];
}

/** For a path that it does not know the server answers in plain text. */
const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
};
