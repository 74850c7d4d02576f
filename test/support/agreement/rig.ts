import { Connections } from "@pulumi-ovn/provider/targets";
import { planOf } from "@pulumi-ovn/cli/testing";
import { readPreview } from "@pulumi-ovn/cli/testing";
import { programs } from "@pulumi-ovn/cli/testing";
import type { Compared } from "@pulumi-ovn/cli/testing";
import { addressOf, portOf } from "@pulumi-ovn/cli/testing";
import { OUTSIDE, questionsOf } from "@pulumi-ovn/cli/testing";
import { Baseline } from "@pulumi-ovn/cli/testing";
import type { Protocol, SimulateQuestion as Question } from "@pulumi-ovn/cli/testing";
import type { Sandbox, Workload } from "@pulumi-ovn/sandbox";
import { previewOf, type States } from "../planned";
import { runScript } from "../run-script";
import { reached } from "../upgrade-flows";
import { Agents, type Connection, type Reply, type Server } from "./agents";
import { type Agreement, agreementOf } from "./judge";
import { LiveStack } from "./live-stack";

/** Milliseconds without an answer. Connections that should be answered are opened again with each further patience. */
const PATIENCE = [2_500, 5_000, 10_000] as const;

/** Protocols in addition to those that rules name. */
const FURTHER: readonly Protocol[] = [
  { name: "tcp", port: 8080 },
  { name: "udp", port: 5353 },
];

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
    private readonly sandbox: Sandbox,
    private readonly targets: Connections,
    private readonly stack: LiveStack,
    private readonly agents: Agents,
    /** Namespaces by the names of their ports. */
    private readonly places: ReadonlyMap<string, string>,
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
    const places = new Map(sandbox.workloads.map(({ name, ifaceId }) => [ifaceId ?? name, name]));
    const targets = new Connections(sandbox.zones);
    return new Rig(sandbox, targets, new LiveStack(targets), await Agents.start(sandbox, ["ext", ...places.values()]), places);
  }

  /**
   * Simulates the plan from the current stack to the next one, applies the plan, and sends all simulated connections.
   * @param prepare prepares namespaces after the plan is applied; returns the undo
   */
  async judge(states: States, prepare?: (sandbox: Sandbox) => Promise<() => Promise<unknown>>): Promise<Agreement> {
    const plan = planBetweenStates(this.#states, states);
    const simulated = await this.#simulated(plan);
    await this.stack.apply(plan);
    this.#states = states;
    if (prepare) this.#restore = await prepare(this.sandbox);
    await reached(this.sandbox);
    await this.#forget();
    return agreementOf(await this.#sent(simulated), this.places);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.agents[Symbol.asyncDispose]();
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

  async #sent(simulated: readonly Compared[]): Promise<[Compared, Reply][]> {
    await this.#listen(simulated);
    const replies = new Map<Compared, Reply>();
    for (const patience of PATIENCE) {
      const open = simulated.filter((each) => !replies.has(each) || (replies.get(each) === null && each.after.reach));
      await Promise.all(
        [...Map.groupBy(open, ({ question }) => this.#placeOf(question))].map(async ([place, own]) => {
          const answers = await this.agents.open(
            place,
            own.map(({ question }) => connectionOf(question, patience)),
          );
          for (const [index, answer] of answers.entries()) replies.set(own[index]!, answer);
        }),
      );
    }
    return [...replies];
  }

  async #listen(simulated: readonly Compared[]): Promise<void> {
    const ports = new Map<string, Omit<Server, "hosts">>();
    const add = (protocol: string, port: number) => ports.set(`${protocol} ${port}`, { protocol: protocol as "tcp", port });
    for (const { question, after } of simulated) {
      const { protocol } = question;
      if (protocol.name === "icmp") continue;
      add(protocol.name, protocol.port);
      for (const backend of after.there.backends) add(protocol.name, portOf(backend) ?? protocol.port);
    }
    const hosts = new Map(this.sandbox.workloads.map(({ name, addresses = [] }) => [name, addresses.map((address) => address.split("/")[0]!)]));
    await Promise.all(
      [...hosts, ["ext", Object.values(OUTSIDE)] as const].map(([place, own]) =>
        this.agents.listen(
          place,
          [...ports.values()].map((port) => ({ ...port, hosts: own })),
        ),
      ),
    );
  }

  #isSendable({ question: { from, to, protocol }, after }: Compared): boolean {
    const isPlace = (name: string) => this.places.has(name);
    const { outcome } = after.there;
    if (outcome.kind === "delivered" && !isPlace(outcome.port)) return false;
    return protocol.name !== "sctp" && (from.kind !== "workload" || isPlace(from.name)) && (to.kind !== "workload" || isPlace(to.name));
  }

  #placeOf({ from }: Question): string {
    return from.kind === "workload" ? this.places.get(from.name)! : "ext";
  }
}

function connectionOf({ source, to, protocol }: Question, patience: number): Connection {
  return {
    protocol: protocol.name as "icmp",
    source,
    address: addressOf(to.address),
    ...(protocol.name !== "icmp" && { port: protocol.port }),
    patience,
  };
}

const planBetweenStates = (before: States, after: States) => planOf(readPreview(previewOf(before, after), "the preview"));
