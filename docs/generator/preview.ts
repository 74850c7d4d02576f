import { expandLayer2Network, type Layer2NetworkArgs, type ZonePlan } from "@pulumi-ovn/provider";
import { provider } from "@pulumi-ovn/provider/runtime";

type Properties = Record<string, unknown>;

const zones = JSON.stringify({ node1: { northbound: "unix:n", southbound: "unix:s", openvswitch: "unix:o" } });

/** What the provider makes of a resource's arguments in a preview. */
export async function checked(kind: string, args: Properties): Promise<Properties> {
  const served = provider(kind);
  await served.configure!({ config: { get: (key: string) => (key === "ovn:zones" ? zones : undefined) } as never });
  const { inputs, failures } = await served.check!({}, { ...args, owner: `urn:pulumi:dev::net::pulumi-nodejs:dynamic/ovn:${kind}::sample` });
  if (failures && failures.length > 0) throw new Error(`the sample of ${kind} is refused: ${failures.map(({ property, reason }) => `${property}: ${reason}`).join("; ")}`);
  return inputs as Properties;
}

/** The lines that a preview shows under `rows`; undefined for a resource that writes none. */
export async function rowLinesOf(kind: string, args: Properties): Promise<Record<string, string> | undefined> {
  return (await checked(kind, args)).rows as Record<string, string> | undefined;
}

/** Which resource each part of a zone's plan becomes. */
const PARTS = {
  switch: "LayerTwoSwitch",
  transitRouter: "TransitRouter",
  gatewayRouter: "GatewayRouter",
  peer: "GatewayPeer",
  workloads: "WorkloadPorts",
  remoteChassis: "RemoteChassis",
} as const satisfies Partial<Record<keyof ZonePlan, string>>;

/** The lines of every resource of a network in its first zone, by kind. */
export async function networkLines(args: Layer2NetworkArgs): Promise<[kind: string, lines: Record<string, string>][]> {
  const [plan] = Object.values(expandLayer2Network(args).zones) as [ZonePlan];
  return Promise.all(
    Object.entries(PARTS).map(async ([part, kind]): Promise<[string, Record<string, string>]> => [kind, (await rowLinesOf(kind, plan[part as keyof typeof PARTS] as unknown as Properties))!]),
  );
}
