import { once } from "node:events";
import { createServer } from "node:http";
import { AgentError } from "./errors";

export interface Listen {
  readonly host: string;
  /** 0 for a free port. */
  readonly port: number;
}

/** Answers of the endpoints, keyed by path. */
export type Endpoints = Readonly<Record<string, () => { readonly status: number; readonly type: string; readonly text: string }>>;

export interface Listening {
  /** `http://127.0.0.1:9475`. */
  readonly url: string;
  close(): void;
}

/** Listens for `/healthz`, which answers 503 while the agent is not healthy, and for `/metrics` in Prometheus' text format. */
export function listenForProbes(address: Listen, health: () => { readonly healthy: boolean }, metrics: () => string): Promise<Listening> {
  return listen(address, {
    "/healthz": () => {
      const found = health();
      return { status: found.healthy ? 200 : 503, type: "application/json", text: `${JSON.stringify(found, null, 2)}\n` };
    },
    "/metrics": () => ({ status: 200, type: "text/plain; version=0.0.4", text: metrics() }),
  });
}

/** Answers GET and HEAD. */
export async function listen({ host, port }: Listen, endpoints: Endpoints): Promise<Listening> {
  const server = createServer((request, response) => {
    const path = request.url?.split("?")[0] ?? "";
    const answer = Object.hasOwn(endpoints, path) ? endpoints[path]!() : { status: 404, type: "text/plain", text: `${Object.keys(endpoints).join("\n")}\n` };
    const refused = request.method !== "GET" && request.method !== "HEAD";
    response.writeHead(refused ? 405 : answer.status, { "content-type": answer.type, "cache-control": "no-store", ...(refused && { allow: "GET, HEAD" }) });
    response.end(refused ? "" : answer.text);
  });
  server.listen(port, host);
  try {
    await once(server, "listening");
  } catch (error) {
    throw new AgentError(
      "OVN_AGENT_LISTEN",
      `can't listen on ${host}:${port}: ${(error as NodeJS.ErrnoException).code ?? (error as Error).message}; choose another --listen`,
    );
  }
  // The agent continues if it can't accept a connection because it has no free file descriptor.
  server.on("error", () => undefined);
  const address = server.address() as { address: string; port: number };
  const close = () => {
    server.close();
    server.closeAllConnections();
  };
  return { url: `http://${address.address.includes(":") ? `[${address.address}]` : address.address}:${address.port}`, close };
}
