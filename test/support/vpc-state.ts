import { expandVpc, kinds, type VpcArgs } from "@pulumi-ovn/provider";

interface Change {
  /** Inputs by resource, such as `LogicalRouterBridge h1`. */
  readonly inputs?: Readonly<Record<string, object>>;
  readonly outputs?: Readonly<Record<string, object>>;
  readonly without?: readonly string[];
  /** Outputs of the component; undefined: as it registers them. */
  readonly component?: object;
}

/** Output of `pulumi stack export` for a stack with one `Vpc`, without unused parts. */
export function vpcState(args: VpcArgs, { inputs = {}, outputs = {}, without = [], component }: Change = {}): object {
  const plan = expandVpc(args);
  const parent = `urn:pulumi:dev::net::ovn:network:Vpc::${args.name}`;
  const all = [
    ...Object.entries(plan.bridges).map(([host, own]) => ["VpcBridges", host, own] as const),
    ...Object.entries(plan.routers).map(([host, own]) => ["LogicalRouterBridge", host, own] as const),
  ];
  const resources = all.flatMap(([kind, host, own]) => {
    const name = `${kind} ${host}`;
    if (without.includes(name)) return [];
    const urn = `urn:pulumi:dev::net::ovn:network:Vpc$pulumi-nodejs:dynamic/ovn:${kind}::${args.name}-${host}`;
    const rendered = kinds[kind].render(kinds[kind].schema.parse(own) as never, {} as never);
    return [
      {
        urn,
        type: `pulumi-nodejs:dynamic/ovn:${kind}`,
        parent,
        inputs: { __provider: "x", owner: urn, rows: {}, ...own, ...inputs[name] },
        outputs: { ...rendered.outputs, ...outputs[name] },
      },
    ];
  });
  return {
    version: 3,
    deployment: {
      resources: [
        { urn: "urn:pulumi:dev::net::pulumi:pulumi:Stack::net-dev", type: "pulumi:pulumi:Stack" },
        { urn: parent, type: "ovn:network:Vpc", outputs: component ?? { hosts: plan.hosts, ...plan.places } },
        ...resources,
      ],
    },
  };
}
