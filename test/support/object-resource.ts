import { Connections } from "@pulumi-ovn/provider/targets";
import { Handled } from "./handled";
import type { TestCluster } from "./kubernetes";
import { ownerOf } from "./provider";

type Properties = Record<string, any>;

let counter = 0;
const handled = new Handled("KubernetesObjects");

/** A cluster as the one that resources of tests are for. */
export function targetsIn(cluster: TestCluster, more: object = {}): Connections {
  return new Connections({}, {}, { prod: cluster.target(undefined, more) });
}

/** A resource of Kubernetes objects over its life, as Pulumi keeps it. */
export class ObjectResource {
  inputs: Properties = {};
  outs: Properties = {};

  constructor(
    private readonly targets: Connections,
    readonly name = `r${counter++}`,
    private readonly cluster = "prod",
  ) {}

  get owner(): string {
    return ownerOf("KubernetesObjects", this.name);
  }

  async check(objects: Properties, more: object = {}): Promise<{ inputs: Properties; failures: readonly { path: string; code: string; message: string }[] }> {
    return handled.check({ ...this.inputs }, { cluster: this.cluster, objects, owner: this.owner, ...more }, this.targets);
  }

  /** Throws the first failure of the check. */
  async up(objects: Properties, more: object = {}): Promise<void> {
    const { inputs, failures } = await this.check(objects, more);
    if (failures.length > 0) throw Object.assign(new Error(), failures[0]);
    const { outs } = this.outs.digest === undefined ? await handled.create(inputs, this.targets) : await handled.update(this.outs, inputs, this.targets);
    [this.inputs, this.outs] = [inputs, outs];
  }

  async refresh(): Promise<{ props: Properties; inputs: Properties } | undefined> {
    const found = await handled.read(this.outs, this.targets);
    if (found) [this.outs, this.inputs] = [found.props, { ...found.inputs, owner: this.owner }];
    return found as never;
  }

  delete(): Promise<void> {
    return handled.delete(this.outs, this.targets);
  }
}
