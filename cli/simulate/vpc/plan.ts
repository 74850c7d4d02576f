import type { Connections } from "@pulumi-ovn/provider/targets";
import { intentsIn } from "../../intents/in-state";
import type { Preview } from "../../plan/preview";
import type { BridgeImpact, HostNetworks } from "../applied";
import type { Asker, Askers } from "../intents/results";
import { type VpcAt, VpcNetwork } from "./network";
import { unknownWorkloads } from "./planned-topology";
import { unaskedProtocols, vpcProtocols } from "./questions";
import { type VpcSides, vpcSides } from "./sides";
import { VpcWorld } from "./simulation";

type Steps = Pick<Preview, "steps">;

/** A plan on shadows of the hosts of all VPCs. */
export class VpcPlan implements AsyncDisposable {
  private constructor(
    readonly sides: VpcSides,
    private readonly intents: ReturnType<typeof intentsIn>,
    private readonly worlds: { readonly before: VpcWorld; readonly after: VpcWorld } | undefined,
  ) {}

  /** @param live targets of the hosts, whose bridges are copied. Default: the bridges of the state. */
  static async create(preview: Steps, live?: Connections): Promise<VpcPlan> {
    const sides = vpcSides(preview);
    const intents = vpcIntentsIn(preview);
    if (sides.before.length + sides.after.length === 0) return new VpcPlan(sides, intents, undefined);
    const whyUnknown = (component: string, host: string) => {
      const part = sides.untold.find((each) => each.component === component && each.host === host);
      return part && omitted(part);
    };
    const before = await VpcWorld.create(sides.before, { live });
    try {
      return new VpcPlan(sides, intents, {
        before,
        after: await VpcWorld.create(sides.before, { live, planned: sides.after, updated: sides.updated, whyUnknown }),
      });
    } catch (error) {
      await before[Symbol.asyncDispose]();
      throw error;
    }
  }

  /** Whether intents of a VPC are to be judged. */
  get hasIntents(): boolean {
    return this.intents.length > 0;
  }

  get askers(): Askers {
    return { before: this.#asker("before"), after: this.#asker("after") };
  }

  /**
   * All pairs of workloads of all VPCs.
   * @param taken names of workloads of other networks
   */
  networks(taken: ReadonlySet<string>): HostNetworks {
    const { sides, worlds } = this;
    if (worlds === undefined) return { networks: [], workloads: { before: new Set(), after: new Set() }, flows: [], unknowns: [] };
    const all = [...sides.before, ...sides.after];
    const unknown = new Set(all.flatMap(({ component, topology }) => (topology === undefined ? [component] : [])));
    const components = [...new Set(all.map(({ component }) => component))].filter((component) => !unknown.has(component)).sort();
    const protocols = vpcProtocols(
      all,
      this.intents.map(({ intents }) => intents),
    );
    const pairs = components.map((component) => [this.#at("before", component), this.#at("after", component)] as const);
    const nameOf = namesOf(pairs, taken);
    const networks = pairs.map(
      ([before, after]) => new VpcNetwork({ before, after, protocols, askers: this.askers, nameOf: nameOf((after ?? before)?.vpc.name ?? "") }),
    );
    const flows = networks.flatMap(({ impact }) =>
      impact.map(({ zone: host, datapath: bridge, added, removed }): BridgeImpact => ({ host, bridge, added, removed })),
    );
    const named = (side: VpcAt | undefined) => Object.keys(side?.vpc.topology.workloads ?? {}).map(nameOf(side?.vpc.name ?? ""));
    return {
      networks,
      workloads: { before: new Set(pairs.flatMap(([before]) => named(before))), after: new Set(pairs.flatMap(([, after]) => named(after))) },
      flows,
      unknowns: this.#unknowns(flows.length > 0),
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.worlds?.before[Symbol.asyncDispose]();
    await this.worlds?.after[Symbol.asyncDispose]();
  }

  #asker(side: "before" | "after"): Asker {
    return (urn, question) => this.worlds![side].ask(urn, question);
  }

  #at(side: "before" | "after", component: string): VpcAt | undefined {
    const { vpcs, flows } = this.worlds![side];
    const vpc = vpcs.find((each) => each.component === component);
    return vpc?.topology && { vpc: { ...vpc, topology: vpc.topology }, flows: flows.get(component)! };
  }

  #unknowns(changes: boolean): string[] {
    const { before, after, untold } = this.sides;
    const unknown = [...before, ...after].filter(({ topology }) => topology === undefined).map(({ name }) => name);
    return [
      ...untold.map(leftOut),
      ...[...new Set(unknown)].map((name) => `Vpc "${name}" is left out: the preview does not show its workloads`),
      ...after.flatMap((vpc) => withoutHost(vpc.name, unknownWorkloads(vpc))),
      ...(changes ? [...unaskedProtocols([...before, ...after]).map((name) => `${name}, which rules name, is not simulated`), BFD] : []),
    ];
  }
}

const BFD = "tunnels of hosts are assumed to work: BFD sessions are not simulated";

const omitted = ({ resource, why }: VpcSides["untold"][number]): string => `${resource} is left out: ${why}`;

const leftOut = (part: VpcSides["untold"][number]): string => `host ${part.host}: ${omitted(part)}`;

function withoutHost(vpc: string, workloads: readonly string[]): string[] {
  if (workloads.length === 0) return [];
  return [`Vpc "${vpc}": new workloads are left out: ${workloads.join(", ")}; a preview shows their hosts only if the Vpc has an intent: add one`];
}

/** Names of workloads in reports: with the VPC's if several networks have a workload of the name. */
function namesOf(pairs: readonly (readonly (VpcAt | undefined)[])[], taken: ReadonlySet<string>): (vpc: string) => (workload: string) => string {
  const all = pairs.flatMap((sides) => [...new Set(sides.flatMap((side) => Object.keys(side?.vpc.topology.workloads ?? {})))]);
  const several = new Set(all.filter((name, index) => taken.has(name) || all.indexOf(name) !== index));
  return (vpc) => (workload) => (several.has(workload) ? `${workload} of ${vpc}` : workload);
}

function vpcIntentsIn({ steps }: Steps): ReturnType<typeof intentsIn> {
  const states = steps.flatMap(({ urn, newState }) => (newState ? [{ urn, type: newState.type, inputs: newState.inputs }] : []));
  return intentsIn(states).filter(({ kind }) => kind === "Vpc");
}
