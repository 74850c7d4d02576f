import { expandVpc, type VpcArgs } from "@pulumi-ovn/provider";
import { Connections, targetsOf } from "@pulumi-ovn/provider/targets";
import type { Diagnostic } from "@pulumi-ovn/provider/testing";
import { handlers, type Properties } from "@pulumi-ovn/provider/tools";

interface Written {
  readonly kind: string;
  readonly inputs: Properties;
  readonly outs: Properties;
}

/**
 * Writes a VPC like the resources of `Vpc`, in Pulumi's order, without the CLI: bridges of all hosts, then logical routers, then deletions,
 * logical routers first. For tests with many steps or exact moments.
 */
export class LiveVpc implements AsyncDisposable {
  readonly #targets: Connections;
  #written = new Map<string, Written>();
  #places: unknown = {};
  /** Warnings of the last write. */
  warnings: readonly Diagnostic[] = [];

  constructor(targets: object) {
    const { zones, hosts } = targetsOf(targets, "test");
    this.#targets = new Connections(zones, hosts);
  }

  /** Updates only logical routers, of all or some hosts, like `pulumi up --target`. */
  async writeRouters(args: VpcArgs, hosts?: readonly string[]): Promise<string[]> {
    this.warnings = [];
    const routers = Object.entries(expandVpc(args).routers).filter(([host]) => hosts?.includes(host) ?? true);
    const done = await ended(routers.map(([host, own]) => this.#put("LogicalRouterBridge", host, { ...own })));
    return done.filter((text) => text !== "").sort();
  }

  /** Brings all hosts to these arguments; undefined: to none. Returns what it did, in the order of names. */
  async write(args: VpcArgs | undefined): Promise<string[]> {
    const plan = args && expandVpc(args);
    const [bridges, routers] = [Object.entries(plan?.bridges ?? {}), Object.entries(plan?.routers ?? {})];
    this.warnings = [];
    this.#places = plan?.places;
    const done = [
      ...(await ended(bridges.map(([host, own]) => this.#put("VpcBridges", host, { ...own })))),
      ...(await ended(routers.map(([host, own]) => this.#put("LogicalRouterBridge", host, { ...own })))),
    ];
    const wanted = new Set([...bridges.map(([host]) => `VpcBridges ${host}`), ...routers.map(([host]) => `LogicalRouterBridge ${host}`)]);
    for (const kind of ["LogicalRouterBridge", "VpcBridges"]) {
      const gone = [...this.#written].filter(([name, { kind: its }]) => its === kind && !wanted.has(name));
      done.push(...(await ended(gone.map(([name]) => this.#remove(name)))));
    }
    return done.filter((text) => text !== "").sort();
  }

  /** Checks all resources like a preview, in the order of their dependencies. Returns those that an update would change. */
  async preview(args: VpcArgs): Promise<string[]> {
    const { bridges, routers } = expandVpc(args);
    const check = async (kind: string, host: string, news: Properties): Promise<string> => {
      const name = `${kind} ${host}`;
      const before = this.#written.get(name)!;
      const { inputs } = await handlers[kind]!.check({ ...this.#request(name), olds: before.inputs, news, preview: true });
      return handlers[kind]!.diff({ olds: before.outs, news: inputs }).changes ? name : "";
    };
    const changed = [
      ...(await ended(Object.entries(bridges).map(([host, own]) => check("VpcBridges", host, { ...own })))),
      ...(await ended(Object.entries(routers).map(([host, own]) => check("LogicalRouterBridge", host, { ...own })))),
    ];
    return changed.filter((name) => name !== "");
  }

  /** Drift found by a refresh, by resource; resources without drift are omitted. */
  async refresh(): Promise<Record<string, unknown>> {
    const found: Record<string, unknown> = {};
    for (const [name, written] of this.#written) {
      const read = await handlers[written.kind]!.read({ ...this.#request(name), id: "id", olds: written.outs });
      if (!read) found[name] = "gone";
      else {
        if (read.props["drift"] !== undefined) found[name] = read.props["drift"];
        this.#written.set(name, { ...written, outs: read.props });
      }
    }
    return found;
  }

  /** The output `state` of a host's logical router. */
  state(host: string): unknown {
    return this.#written.get(`LogicalRouterBridge ${host}`)?.outs["state"];
  }

  /** As `pulumi stack export` prints the state of a stack that has just been written, component and all. */
  exported(): object {
    const component = "urn:pulumi:dev::vpc::ovn:network:Vpc::blue";
    const resources = [...this.#written].map(([name, { kind, inputs, outs }]) => ({
      urn: this.#request(name).urn,
      type: `pulumi-nodejs:dynamic/ovn:${kind}`,
      parent: component,
      inputs,
      outputs: { ...outs, owner: this.#request(name).urn },
    }));
    return { version: 3, deployment: { resources: [{ urn: component, type: "ovn:network:Vpc", outputs: this.#places }, ...resources] } };
  }

  async #put(kind: string, host: string, args: Properties): Promise<string> {
    const name = `${kind} ${host}`;
    const handler = handlers[kind]!;
    const before = this.#written.get(name);
    const { inputs, diagnostics } = await handler.check({ ...this.#request(name), olds: before?.inputs ?? {}, news: args });
    if (diagnostics.some(({ severity }) => severity === "error")) throw new Error(`${name}: ${JSON.stringify(diagnostics)}`);
    this.warnings = [...this.warnings, ...diagnostics];
    if (before && !handler.diff({ olds: before.outs, news: inputs }).changes) return "";
    const { outs, diagnostics: warnings = [] } = before
      ? await handler.update({ ...this.#request(name), id: "id", olds: before.outs, news: inputs })
      : await handler.create({ ...this.#request(name), news: inputs });
    this.#written.set(name, { kind, inputs, outs });
    this.warnings = [...this.warnings, ...warnings];
    return `${before ? "update" : "create"} ${name}`;
  }

  async #remove(name: string): Promise<string> {
    const { kind, outs } = this.#written.get(name)!;
    await handlers[kind]!.delete({ ...this.#request(name), id: "id", olds: outs });
    this.#written.delete(name);
    return `delete ${name}`;
  }

  #request(name: string) {
    const [kind, host] = name.split(" ");
    return { urn: `urn:pulumi:dev::vpc::pulumi-nodejs:dynamic/ovn:${kind}::${host}`, secrets: [], targets: this.#targets };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#targets.close();
  }
}

/** Waits for all operations, as Pulumi does, and then throws the first error: an operation in progress would meet the next update. */
async function ended<T>(operations: Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(operations);
  return Promise.all(operations);
}
