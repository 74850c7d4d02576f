import { addressOf, OUTSIDE, portOf } from "@pulumi-ovn/cli/testing";
import type { Compared, SimulateQuestion as Question } from "@pulumi-ovn/cli/testing";
import type { Sandbox } from "@pulumi-ovn/sandbox";
import type { Senders, Connection, Reply, Server } from "./senders";
import type { Surroundings } from "./surroundings";

/** Milliseconds without an answer. Connections that should be answered are opened again with each further patience. */
const PATIENCE = [2_500, 5_000, 10_000] as const;

/** Namespaces in which connections are opened and answered. */
interface Ends {
  readonly sandbox: Sandbox;
  readonly senders: Senders;
  /** Namespaces by the names of their ports. */
  readonly namespaces: ReadonlyMap<string, string>;
}

/** Opens all simulated connections, those by the physical network of one zone after those of another. */
export async function send(simulated: readonly Compared[], ends: Ends, enter: Surroundings["enter"]): Promise<[Compared, Reply][]> {
  await listen(simulated, ends);
  const replies = new Map<Compared, Reply>();
  for (const patience of PATIENCE) {
    const open = simulated.filter((each) => !replies.has(each) || (replies.get(each) === null && each.after.reach));
    // Without a choice of the zone, all connections are opened at the same time.
    for (const [zone, own] of Map.groupBy(open, (each) => (enter ? outsideZone(each) : undefined))) {
      if (zone !== undefined) await enter?.(ends.sandbox, zone);
      await openAll(own, ends, patience, replies);
    }
  }
  return [...replies];
}

/** The zone whose physical network the connection passes. */
function outsideZone({ question: { from }, after }: Compared): string | undefined {
  if (from.kind === "outside") return from.zone;
  const { outcome } = after.there;
  return outcome.kind === "outside" ? outcome.zone : undefined;
}

async function openAll(simulated: readonly Compared[], { senders, namespaces }: Ends, patience: number, replies: Map<Compared, Reply>): Promise<void> {
  const groups = Map.groupBy(simulated, ({ question: { from } }) => (from.kind === "workload" ? namespaces.get(from.name)! : "ext"));
  const opening = [...groups].map(async ([namespace, own]) => {
    const connections = own.map(({ question }) => connectionOf(question, patience));
    const answers = await senders.open(namespace, connections);
    for (const [index, answer] of answers.entries()) replies.set(own[index]!, answer);
  });
  await Promise.all(opening);
}

async function listen(simulated: readonly Compared[], { sandbox, senders }: Ends): Promise<void> {
  const ports = new Map<string, Omit<Server, "hosts">>();
  const add = (protocol: string, port: number) => ports.set(`${protocol} ${port}`, { protocol: protocol as "tcp", port });
  for (const { question, after } of simulated) {
    const { protocol } = question;
    if (protocol.name === "icmp") continue;
    add(protocol.name, protocol.port);
    for (const backend of after.there.backends) add(protocol.name, portOf(backend) ?? protocol.port);
  }
  const hosts = new Map(sandbox.workloads.map(({ name, addresses = [] }) => [name, addresses.map((address) => address.split("/")[0]!)]));
  const listening = [...hosts, ["ext", Object.values(OUTSIDE)] as const].map(([namespace, own]) =>
    senders.listen(
      namespace,
      [...ports.values()].map((port) => ({ ...port, hosts: own })),
    ),
  );
  await Promise.all(listening);
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
