import type { Failure } from "@pulumi-ovn/provider";
import type { Connections } from "@pulumi-ovn/provider/targets";
import { type DiffResponse, type Handler, secretPathsOf } from "@pulumi-ovn/provider/testing";
import { contents, handlers, isError, type Properties } from "@pulumi-ovn/provider/tools";

export interface Checked {
  readonly inputs: Properties;
  readonly failures: readonly Failure[];
}

/** A kind's handler with properties as the state has them: the identity is one of them. */
export class Handled {
  readonly #handler: Handler;

  constructor(kind: string) {
    this.#handler = handlers[kind]!;
  }

  async check(olds: Properties, news: Properties, targets: Connections): Promise<Checked> {
    const owner = olds.owner ?? news.owner;
    const { inputs, diagnostics } = await this.#handler.check({
      ...request({ owner }, targets),
      secrets: secretPathsOf(news.redact),
      olds: contents(olds),
      news: contents(news),
    });
    const failures = diagnostics.filter(isError).map(({ path, code, message }) => ({ path, code, message }));
    return { inputs: { ...inputs, owner }, failures };
  }

  diff(olds: Properties, news: Properties): DiffResponse {
    return this.#handler.diff({ olds: contents(olds), news: contents(news) });
  }

  async create(news: Properties, targets: Connections): Promise<{ id: string; outs: Properties }> {
    const { id, outs } = await this.#handler.create({ ...request(news, targets), news: contents(news) });
    return { id, outs: { ...outs, owner: news.owner } };
  }

  async read(olds: Properties, targets: Connections): Promise<{ props: Properties; inputs?: Properties } | undefined> {
    const found = await this.#handler.read({ ...request(olds, targets), id: "id", olds: contents(olds) });
    return found && { ...found, props: { ...found.props, owner: olds.owner } };
  }

  async update(olds: Properties, news: Properties, targets: Connections): Promise<{ outs: Properties }> {
    const { outs } = await this.#handler.update({ ...request(news, targets), id: "id", olds: contents(olds), news: contents(news) });
    return { outs: { ...outs, owner: news.owner } };
  }

  delete(olds: Properties, targets: Connections): Promise<void> {
    return this.#handler.delete({ ...request(olds, targets), id: "id", olds: contents(olds) });
  }
}

const request = ({ owner }: Properties, targets: Connections) => ({ urn: String(owner ?? ""), secrets: [], targets });
