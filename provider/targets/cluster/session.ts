import { setImmediate as immediate, setTimeout as sleep } from "node:timers/promises";
import type { HttpMethod, KubeConfig, RequestContext } from "@kubernetes/client-node" with { "resolution-mode": "import" };
import type { ClusterSettings } from "../schema";
import { ObjectError } from "./errors";
import { after, isTimeOver, within } from "./pause";
import { kubernetesLibrary, loadKubeConfig, type Surroundings } from "./kubeconfig";

export interface ApiRequest {
  readonly method: HttpMethod;
  /** From the server's root: `/api/v1/nodes`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Content type of the body. Default: JSON. */
  readonly type?: string;
  readonly accept?: string;
}

export interface ApiResponse {
  readonly status: number;
  readonly body: unknown;
}

const DEFAULT_TIMEOUT_SECONDS = 30;

/** A token may be exchanged while a long update runs. */
const CREDENTIALS_LAST = 60_000;

/** Seconds between two calls: at least, and where the server does not say when it wants the next one, doubled each time up to the longest. */
const PAUSE = { shortest: 0.1, first: 0.2, longest: 5 };

interface Credentials {
  readonly server: string;
  readonly context: RequestContext;
  /** 0: the server has refused them. */
  until: number;
}

/** Credentials that are there, or that a program is still renewal for. */
interface Renewal {
  readonly made: Promise<Credentials>;
  readonly since: number;
  pending: boolean;
}

/**
 * HTTP to one API server, with the credentials of a kubeconfig. The library makes new ones, and a new connection, for
 * each request; here they are kept, so that requests share connections.
 */
export class Session {
  #config: Promise<KubeConfig> | undefined;
  #renewal: Renewal | undefined;
  /** A server that has answered before and refuses connections is restarting. */
  #hasAnswered = false;

  /** Seconds that a call may take. */
  readonly seconds: number;

  constructor(
    private readonly settings: ClusterSettings,
    private readonly surroundings: Surroundings,
  ) {
    this.seconds = settings.timeout ?? DEFAULT_TIMEOUT_SECONDS;
  }

  /** Sends a request and returns any answer, whatever its status. Every request may be repeated. */
  async send(request: ApiRequest, signal?: AbortSignal): Promise<ApiResponse> {
    const { seconds } = this;
    const deadline = performance.now() + seconds * 1000;
    const expired = after(seconds * 1000);
    const until = signal ? AbortSignal.any([signal, expired]) : expired;
    try {
      return await this.#attempt(request, until, expired, deadline);
    } catch (error) {
      if (error instanceof ObjectError) throw error;
      if (signal?.aborted && !isTimeOver(signal)) throw new ObjectError("OVN_ABORTED", "the operation was cancelled");
      const server = await this.#server();
      if (signal?.aborted) throw new ObjectError("OVN_CLUSTER_UNREACHABLE", `${server ?? "it"} did not answer in the time that was left`);
      if (expired.aborted)
        throw new ObjectError(
          "OVN_CLUSTER_UNREACHABLE",
          `${server ?? "it"} did not answer within ${seconds} s; the timeout is a setting of the cluster in the file of targets`,
        );
      throw new ObjectError("OVN_CLUSTER_UNREACHABLE", `${server ?? "it"} can't be reached: ${reasonOf(error)}`);
    }
  }

  /** For messages, where it is known already: a credential program may hang. */
  #server(): Promise<string | undefined> {
    const origin = this.#renewal?.made.then(
      ({ server }) => new URL(server).origin,
      () => undefined,
    );
    return Promise.race([origin, immediate(undefined)]);
  }

  async #attempt(request: ApiRequest, until: AbortSignal, expired: AbortSignal, deadline: number): Promise<ApiResponse> {
    let busy: ApiResponse | undefined;
    for (let [reconnected, renewed, rest] = [false, false, PAUSE.first]; ; ) {
      try {
        const credentials = await this.#current(until, expired);
        const response = await this.#once(request, credentials, until).catch(async (error: unknown) => {
          if (this.#hasAnswered && isRefused(error) && performance.now() + rest * 1000 < deadline) {
            await sleep(rest * 1000, undefined, { signal: until });
            rest = Math.min(2 * rest, PAUSE.longest);
            return undefined;
          }
          // The other end may have closed an idle connection.
          if (reconnected || !isReset(error)) throw error;
          reconnected = true;
          return undefined;
        });
        if (response === undefined) continue;
        this.#hasAnswered = true;
        if (response.status === 401 && !renewed) {
          // A token that has expired since it was fetched. Others may have found that out, too, and have renewal for new ones.
          renewed = true;
          this.#config = undefined;
          credentials.until = 0;
          continue;
        }
        const pause = isPassing(response) ? (askedPause(response.after) ?? rest) : undefined;
        if (pause === undefined || performance.now() + pause * 1000 >= deadline) return response;
        busy = response;
        rest = Math.min(2 * rest, PAUSE.longest);
        await sleep(Math.max(pause, PAUSE.shortest) * 1000, undefined, { signal: until });
      } catch (error) {
        // The server's answer is more helpful than a timeout.
        if (busy !== undefined && isTimeOver(until)) return busy;
        throw error;
      }
    }
  }

  async #once(
    { method, path, query = {}, body, type = "application/json", accept = "application/json" }: ApiRequest,
    { server, context }: Credentials,
    until: AbortSignal,
  ) {
    const { RequestContext: Context, IsomorphicFetchHttpLibrary: Library } = await kubernetesLibrary();
    const request = new Context(`${server.replace(/\/$/, "")}${path}`, method);
    for (const [name, value] of Object.entries({ ...context.getHeaders(), accept, "content-type": type, "user-agent": "pulumi-ovn" }))
      request.setHeaderParam(name, value);
    for (const [name, value] of Object.entries(query)) request.setQueryParam(name, value);
    const dispatcher = context.getDispatcher();
    if (dispatcher) request.setDispatcher(dispatcher);
    request.setSignal(until);
    if (body !== undefined) request.setBody(JSON.stringify(body));
    const { httpStatusCode: status, headers, body: answer } = await new Library().send(request).toPromise();
    const text = await answer.text();
    return { status, body: parsed(text), after: headers["retry-after"] };
  }

  /**
   * Reads credentials. After a credential program has hung for a call's whole time, the next call starts another one, even if its waiters had
   * less time.
   */
  async #current(until: AbortSignal, expired: AbortSignal): Promise<Credentials> {
    for (;;) {
      // Credentials without a waiter would fail unhandled.
      until.throwIfAborted();
      if (this.#renewal?.pending && performance.now() - this.#renewal.since >= this.seconds * 1000) this.#renewal = undefined;
      const renewal = (this.#renewal ??= this.#ask());
      const drop = () => {
        if (this.#renewal === renewal) this.#renewal = undefined;
      };
      renewal.made.catch(drop);
      const credentials = await within(until, renewal.made).finally(() => expired.aborted && drop());
      if (credentials.until > performance.now()) return credentials;
      drop();
    }
  }

  #ask(): Renewal {
    const made = this.#authenticated().finally(() => (renewal.pending = false));
    const renewal: Renewal = { made, since: performance.now(), pending: true };
    return renewal;
  }

  /** The library caches a credential program's answer without an expiry, or before it, for the lifetime of the kubeconfig. */
  async #authenticated(): Promise<Credentials> {
    const config = await (this.#config ??= loadKubeConfig(this.settings, this.surroundings));
    const { RequestContext: Context } = await kubernetesLibrary();
    const { server } = config.getCurrentCluster()!;
    const context = new Context(server, "GET");
    try {
      await config.applySecurityAuthentication(context);
    } catch {
      // A credential program may print anything.
      throw new ObjectError(
        "OVN_CLUSTER_CREDENTIALS",
        `the kubeconfig's user "${config.getCurrentUser()?.name ?? ""}" could not be authenticated: its files can't be read, or its credential program failed; "kubectl get nodes" says more`,
      );
    }
    return { server, context, until: performance.now() + CREDENTIALS_LAST };
  }
}

/** Not implemented, and a version of HTTP that the server does not speak: it will not do so later. */
const PERMANENT: ReadonlySet<number> = new Set([501, 505]);

/** Whether the same call may be answered otherwise later: too much to do, no database, a proxy without its server (RFC 6585, 4; RFC 9110, 15.6). */
function isPassing({ status }: { readonly status: number }): boolean {
  return status === 429 || (status >= 500 && !PERMANENT.has(status));
}

/** Seconds to wait, by `Retry-After`: a number of them, or a date (RFC 9110, 10.2.3); undefined: the server does not say. */
function askedPause(after = ""): number | undefined {
  if (/^\d+$/.test(after)) return Number(after);
  const date = Date.parse(after);
  return Number.isNaN(date) ? undefined : (date - Date.now()) / 1000;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined; // a proxy's page, or nothing
  }
}

interface Caused {
  readonly code?: unknown;
  readonly message?: string;
  readonly cause?: Caused;
}

/** The innermost cause: the outer error only contains "fetch failed". */
function causeOf(error: unknown): Caused {
  const { cause, ...rest } = error as Caused;
  return cause === undefined ? { ...rest, message: (error as Error).message, code: (error as Caused).code } : causeOf(cause);
}

function isRefused(error: unknown): boolean {
  return causeOf(error).code === "ECONNREFUSED";
}

function isReset(error: unknown): boolean {
  return ["ECONNRESET", "EPIPE", "UND_ERR_SOCKET"].includes(String(causeOf(error).code));
}

function reasonOf(error: unknown): string {
  const { code, message = String(error) } = causeOf(error);
  return code === undefined || message.includes(String(code)) ? message : `${message} (${String(code)})`;
}
