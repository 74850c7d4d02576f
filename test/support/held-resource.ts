import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Diagnostic } from "@pulumi-ovn/provider/testing";
import { handlers, isError, type Properties } from "@pulumi-ovn/provider/tools";

/** A resource in a stack's state. */
export interface Held {
  readonly inputs: Properties;
  readonly outs: Properties;
}

/** A resource of any kind in the ways in which Pulumi treats one, with a state that a test may copy, put back or lose. */
export class HeldResource {
  state: Held | undefined;
  /** Warnings of the last check and write. */
  warnings: readonly Diagnostic[] = [];

  constructor(
    readonly kind: string,
    readonly urn: string,
    private readonly targets: Connections,
  ) {}

  async check(args: object): Promise<Properties> {
    const { inputs, diagnostics } = await this.#handler.check({ ...this.#request, olds: this.state?.inputs ?? {}, news: { ...args } });
    if (diagnostics.some(isError)) throw new Error(JSON.stringify(diagnostics));
    this.warnings = diagnostics;
    return inputs;
  }

  /** `pulumi up`, with the same arguments also after a refresh without drift. */
  async up(args: object): Promise<void> {
    const inputs = await this.check(args);
    const { outs, diagnostics = [] } = this.state
      ? await this.#handler.update({ ...this.#request, id: "id", olds: this.state.outs, news: inputs })
      : await this.#handler.create({ ...this.#request, news: inputs });
    this.state = { inputs, outs };
    this.warnings = [...this.warnings, ...diagnostics];
  }

  /** `pulumi up --target-replace`: as Pulumi does it, the replaced one is deleted last. */
  async replace(args: object): Promise<void> {
    const olds = this.state!.outs;
    this.state = undefined;
    await this.up(args);
    await this.#handler.delete({ ...this.#request, id: "id", olds });
  }

  /** `pulumi refresh`; the drift that it names. */
  async refresh(): Promise<unknown> {
    const found = await this.#handler.read({ ...this.#request, id: "id", olds: this.state!.outs });
    this.state = found && { inputs: found.inputs!, outs: found.props };
    return found?.props["drift"];
  }

  async destroy(): Promise<void> {
    await this.#handler.delete({ ...this.#request, id: "id", olds: this.state!.outs });
    this.state = undefined;
  }

  get #handler() {
    return handlers[this.kind]!;
  }

  get #request() {
    return { urn: this.urn, secrets: [], targets: this.targets };
  }
}
