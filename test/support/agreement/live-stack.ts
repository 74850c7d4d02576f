import { contents, handlers, type Properties } from "@pulumi-ovn/provider/tools";
import type { Connections } from "@pulumi-ovn/provider/targets";
import type { Plan, PlannedResource } from "@pulumi-ovn/cli/testing";

/** Applies plans to real zones as Pulumi does, without the Pulumi CLI. Resources without a zone are left out. */
export class LiveStack {
  readonly #written = new Map<string, Properties>();

  constructor(private readonly targets: Connections) {}

  async apply({ resources }: Plan): Promise<void> {
    const changed = resources.filter(({ operation, before, after }) => operation !== "same" && (after ?? before)?.target?.kind === "zone");
    await this.#all(changed.filter(({ after }) => after !== undefined));
    for (const resource of changed.filter(({ after }) => after === undefined).reverse()) await this.#remove(resource);
  }

  /** A plan that was not made by the engine has no dependencies: what fails is written after the others. */
  async #all(resources: readonly PlannedResource[]): Promise<void> {
    const failed: PlannedResource[] = [];
    let last: unknown;
    for (const resource of resources)
      await this.#write(resource).catch((error: unknown) => {
        failed.push(resource);
        last = error;
      });
    if (failed.length === 0) return;
    if (failed.length === resources.length) throw last;
    await this.#all(failed);
  }

  async #write({ kind, owner, after }: PlannedResource): Promise<void> {
    const request = { urn: owner, secrets: [], targets: this.targets, news: contents({ ...after!.state.inputs }) };
    const olds = this.#written.get(owner);
    const { outs } = olds ? await handlers[kind]!.update({ ...request, id: "id", olds }) : await handlers[kind]!.create(request);
    this.#written.set(owner, outs);
  }

  async #remove({ kind, owner }: PlannedResource): Promise<void> {
    // The simulation has created the resource in the same process: with a revision, the resource would be one that is replaced.
    const { revision: _revision, ...olds } = this.#written.get(owner)!;
    await handlers[kind]!.delete({ urn: owner, secrets: [], targets: this.targets, id: "id", olds });
    this.#written.delete(owner);
  }
}
