import { Connections } from "@pulumi-ovn/provider/targets";
import { planOf } from "@pulumi-ovn/cli/testing";
import { readPreview } from "@pulumi-ovn/cli/testing";
import { programs } from "@pulumi-ovn/cli/testing";
import type { Compared } from "@pulumi-ovn/cli/testing";
import { OUTSIDE, questionsOf } from "@pulumi-ovn/cli/testing";
import { Baseline } from "@pulumi-ovn/cli/testing";
import type { Protocol } from "@pulumi-ovn/cli/testing";
import type { Sandbox, Workload } from "@pulumi-ovn/sandbox";
import { previewOf, type States } from "../planned";
import { runScript } from "../run-script";
import { reached } from "../upgrade-flows";
import { Senders } from "./senders";
import { type Agreement, agreementOf } from "./judge";
import { LiveStack } from "./live-stack";
import { send } from "./send";
import type { Surroundings } from "./surroundings";

/** Protocols in addition to those that rules name. */
const FURTHER: readonly Protocol[] = [
  { name: "tcp", port: 8080 },
  { name: "udp", port: 5353 },
];

/** The only physical network that the sandbox has. */
const PHYSICAL = "physnet";

/** Addresses of load balancers in subnets of workloads. */
const BALANCERS = ["203.203.255.1", "2010:100:200::ff:1", "10.80.255.1"];
const isAlike = (address: string, other: string) => address.split(/[.:]/).slice(0, 2).join() === other.split(/[.:]/).slice(0, 2).join();

/** Commands for the routes to load balancers in a workload's subnets. */
function balancerRoutes({ addresses = [], gateways = [] }: Workload): string[] {
  return gateways.flatMap((gateway, index) =>
    BALANCERS.filter((each) => isAlike(each, addresses[index]!)).map((each) => `ip route add ${each} via ${gateway}`),
  );
}

/** A sandbox on which stacks are simulated, written and tried with packets, one after the other. */
export class Rig implements AsyncDisposable {
  #states: States = new Map();
  /** Undo of the preparation of the current stack. */
  #restore: () => Promise<unknown> = async () => undefined;

  private constructor(
    readonly sandbox: Sandbox,
    private readonly targets: Connections,
    private readonly stack: LiveStack,
    readonly senders: Senders,
    /** Namespaces by the names of their ports. */
    readonly namespaces: ReadonlyMap<string, string>,
  ) {}

  static async create(sandbox: Sandbox): Promise<Rig> {
    for (const workload of sandbox.workloads) await runScript(sandbox, workload.name, balancerRoutes(workload).join("\n"));
    await runScript(
      sandbox,
      "ext",
      Object.values(OUTSIDE)
        .map((address) => `ip address add ${address} dev lo`)
        .join("\n"),
    );
    const namespaces = new Map(sandbox.workloads.map(({ name, ifaceId }) => [ifaceId ?? name, name]));
    const targets = new Connections(sandbox.zones);
    return new Rig(sandbox, targets, new LiveStack(targets), await Senders.start(sandbox, ["ext", ...namespaces.values()]), namespaces);
  }

  /** Simulates the plan from the current stack to the next one, applies the plan, and sends all simulated connections. */
  async judge(states: States, { prepare, enter }: Surroundings = {}): Promise<Agreement> {
    const plan = planBetweenStates(this.#states, states);
    const simulated = await this.#simulated(plan);
    await this.stack.apply(plan);
    this.#states = states;
    if (prepare) this.#restore = await prepare(this.sandbox);
    await reached(this.sandbox);
    await this.#forget();
    return agreementOf(await send(simulated, this, enter), this.namespaces);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.senders[Symbol.asyncDispose]();
    await this.targets.close();
  }

  /** Removes the current stack: another one may own the same addresses. */
  async leave(): Promise<void> {
    await this.stack.apply(planBetweenStates(this.#states, new Map()));
    this.#states = new Map();
    await this.#restore();
    this.#restore = async () => undefined;
  }

  async #simulated(plan: Parameters<typeof Baseline.create>[0]): Promise<readonly Compared[]> {
    await using baseline = await Baseline.create(plan, programs);
    await using applied = await baseline.apply(plan);
    const omissions = [...applied.before.omissions, ...applied.after.omissions];
    if (omissions.length > 0) throw new Error(`left out of the simulation: ${JSON.stringify(omissions)}`);
    const compared = await Promise.all(questionsOf(applied.before, applied.after).map((connection) => applied.compare(connection)));
    const sendable = compared.filter((each) => this.#isSendable(each));
    const asked = new Set(sendable.map(({ question }) => JSON.stringify(question)));
    const further = sendable
      .filter(({ question }) => question.protocol.name === "icmp")
      .flatMap(({ question }) => FURTHER.map((protocol) => ({ ...question, protocol })))
      .filter((question) => !asked.has(JSON.stringify(question)));
    return [...sendable, ...(await Promise.all(further.map((question) => applied.compare({ before: question, after: question }))))];
  }

  /** Workloads remember MAC addresses and IPv6 routers of the stack before, and ask for routers only when IPv6 starts. */
  async #forget(): Promise<void> {
    const ipv6 = "/proc/sys/net/ipv6/conf/eth0";
    const restart = [`echo 0 > ${ipv6}/accept_dad`, `echo 1 > ${ipv6}/disable_ipv6`, `echo 0 > ${ipv6}/disable_ipv6`];
    const forgetting = this.sandbox.workloads.map((workload) => {
      const { name, addresses = [], gateways = [] } = workload;
      const lost = [
        ...addresses.map((each) => `ip address add ${each} dev eth0 nodad`),
        ...gateways.map((each) => `ip route add default via ${each}`),
        ...balancerRoutes(workload),
      ].filter((line) => line.includes(":"));
      return runScript(this.sandbox, name, [...restart, ...lost, "ip neigh flush all"].join("\n"));
    });
    await Promise.all([...forgetting, runScript(this.sandbox, "ext", "ip neigh flush all")]);
  }

  #isSendable({ question: { from, to, protocol }, after }: Compared): boolean {
    const isNamespace = (name: string) => this.namespaces.has(name);
    const { outcome } = after.there;
    if (outcome.kind === "delivered" && !isNamespace(outcome.port)) return false;
    // An echo reply does not show which of two workloads with one address has answered.
    if (protocol.name === "icmp" && outcome.kind === "delivered" && to.kind === "workload" && outcome.port !== to.name) return false;
    if (from.kind === "outside" && from.network !== PHYSICAL) return false;
    return protocol.name !== "sctp" && (from.kind !== "workload" || isNamespace(from.name)) && (to.kind !== "workload" || isNamespace(to.name));
  }
}

const planBetweenStates = (before: States, after: States) => planOf(readPreview(previewOf(before, after), "the preview"));
