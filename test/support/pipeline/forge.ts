import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

interface Call {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: { readonly body?: string };
}

/** How a forge's API for comments of one pull request looks: the list, a comment, and what each call needs. */
interface Api {
  readonly list: string;
  readonly comment: (id: string) => string;
  readonly change: "PATCH" | "PUT";
  readonly allows: (headers: Call["headers"]) => boolean;
}

export const TOKEN = "token-of-the-pipeline";
const json = (headers: Call["headers"], method: string) => method === "GET" || headers["content-type"] === "application/json";

/** GitHub: "Issue comments" of its REST API. */
export const GITHUB: Api = {
  list: "/repos/shop/network/issues/3/comments",
  comment: (id) => `/repos/shop/network/issues/comments/${id}`,
  change: "PATCH",
  allows: ({ authorization, accept }) => authorization === `Bearer ${TOKEN}` && accept === "application/vnd.github+json",
};

/** GitLab: "Notes API", merge requests. */
export const GITLAB: Api = {
  list: "/api/v4/projects/7/merge_requests/3/notes",
  comment: (id) => `/api/v4/projects/7/merge_requests/3/notes/${id}`,
  change: "PUT",
  allows: (headers) => headers["private-token"] === TOKEN,
};

/** A stand-in for a forge: keeps the comments of one pull request, and refuses each call that the real API would refuse. */
export class Forge implements AsyncDisposable {
  readonly comments = new Map<string, string>([["11", "Looks good."]]);
  readonly refused: string[] = [];
  readonly #server: Server;

  private constructor(private readonly api: Api) {
    this.#server = createServer((request, response) => {
      let text = "";
      request.on("data", (chunk) => (text += chunk));
      request.on("end", () => {
        const { method = "", url = "", headers } = request;
        const [status, answer] = this.#answer({ method, path: url, headers, body: text ? JSON.parse(text) : {} });
        if (status >= 400) this.refused.push(`${method} ${url}: ${status}`);
        response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(answer));
      });
    });
  }

  static async start(api: Api): Promise<Forge> {
    const forge = new Forge(api);
    await new Promise<void>((resolve) => forge.#server.listen(0, "127.0.0.1", resolve));
    return forge;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  #answer({ method, path, headers, body }: Call): [number, unknown] {
    const { list, comment, change, allows } = this.api;
    if (!allows(headers)) return [401, {}];
    if (!json(headers, method)) return [415, {}];
    if (method === "GET" && path === `${list}?per_page=100`) return [200, [...this.comments].map(([id, text]) => ({ id: Number(id), body: text }))];
    if (typeof body.body !== "string" || body.body === "") return [422, {}];
    const known = [...this.comments.keys()].find((id) => path === comment(id));
    const id = method === "POST" && path === list ? String(12 + this.comments.size) : method === change ? known : undefined;
    if (id === undefined) return [404, {}];
    this.comments.set(id, body.body);
    return [known ? 200 : 201, { id: Number(id) }];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}
