import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { dynamic } from "@pulumi/pulumi";
import { kindOfType, TYPE_PREFIX } from "@pulumi-ovn/provider";
import { rowUuid } from "@pulumi-ovn/provider/rows";
import { provider } from "@pulumi-ovn/provider/runtime";
import { MEMBERS_KIND } from "@pulumi-ovn/provider/tools";
import { plainText } from "./previewed";
import { references } from "./program";

type Properties = Record<string, unknown>;

/** A resource as a stack's state has it, without what nothing reads. */
export interface StateEntry {
  readonly urn: string;
  readonly type: string;
  readonly parent: string;
  readonly inputs: Properties;
  readonly outputs: Properties;
}

/** Rows that other resources refer to by UUID, by kind. */
const UUIDS: Readonly<Record<string, readonly [table: string, key: string]>> = {
  Layer2Switch: ["Logical_Switch", "switch"],
  GatewayRouter: ["Logical_Router", "router"],
  TransitRouter: ["Logical_Router", "router"],
  Layer2Gateway: ["Logical_Router", "router"],
};

/**
 * The state of a new stack with the program in a folder of the repository, such as `examples/quickstart`.
 * @param settings configuration of the stack; a key without namespace belongs to the project
 */
export async function exampleState(program: string, settings: Readonly<Record<string, string>> = {}): Promise<StateEntry[]> {
  const pool = {
    TunnelKeyPool: {
      keys: Object.fromEntries(["blue", "shop", "green", "violet"].map((owner, index) => [owner, [16_715_779 + 2 * index, 16_715_780 + 2 * index]])),
    },
  };
  const folder = mkdtempSync(join(tmpdir(), "example-"));
  const before = process.env["PULUMI_OVN_TARGETS"];
  writeFileSync(join(folder, "targets.yaml"), unreachable(folder));
  process.env["PULUMI_OVN_TARGETS"] = join(folder, "targets.yaml");
  try {
    pulumi.runtime.setAllConfig(Object.fromEntries(Object.entries(settings).map(([key, value]) => [key.includes(":") ? key : `net:${key}`, value])));
    return await stateOf(() => run(require(`../../${program}/index`)), pool);
  } finally {
    if (before === undefined) delete process.env["PULUMI_OVN_TARGETS"];
    else process.env["PULUMI_OVN_TARGETS"] = before;
    rmSync(folder, { recursive: true });
  }
}

/** Calls an exported function, as Pulumi does. */
const run = (exported: unknown): unknown => (typeof exported === "function" ? (exported as () => unknown)() : undefined);

/** Targets with the names that examples use. They can't be reached. */
function unreachable(folder: string): string {
  const names = ["node1", "node2", "node3", "node4"];
  const socket = (database: string) => `unix:${folder}/${database}`;
  const zone = (name: string) => ({ northbound: socket(`${name}-nb`), southbound: socket(`${name}-sb`), openvswitch: socket(`${name}-ovs`) });
  return JSON.stringify({
    zones: Object.fromEntries(names.map((name) => [name, zone(name)])),
    hosts: Object.fromEntries(names.map((name) => [name, { openvswitch: socket(`${name}-ovs`), command: "false" }])),
    clusters: Object.fromEntries(["sandbox", "default"].map((name) => [name, { kubeconfig: join(folder, "kubeconfig") }])),
  });
}

/** Resources that a program registers, with checked inputs, as a new stack's state has them. Nothing is connected. */
async function stateOf(program: () => unknown, outputs: Readonly<Record<string, Properties>> = {}): Promise<StateEntry[]> {
  const found: { type: string; name: string; inputs: Properties; outputs: Properties }[] = [];
  const components: Promise<readonly [urn: string, outputs: Properties]>[] = [];
  const newResource = ({ type, name, inputs: given, custom }: pulumi.runtime.MockResourceArgs) => {
    const inputs = given as Properties;
    const kind = kindOfType(type);
    const key = UUIDS[kind];
    const own: Properties = {
      ...(key && { uuid: rowUuid(String(inputs["owner"]), ...key) }),
      ...(typeof inputs["entries"] === "object" && { uuids: entryUuids(inputs) }),
      ...(kind === MEMBERS_KIND && { lists: references(name, inputs) }),
      ...outputs[kind],
    };
    if (custom || type.startsWith("ovn:")) found.push({ type, name, inputs, outputs: own });
    return { id: name, state: { digest: "known", revision: "known", ...inputs, ...own } };
  };
  const registerOutputs = pulumi.ComponentResource.prototype["registerOutputs" as never] as (outputs: Properties | undefined) => void;
  const prototype = pulumi.ComponentResource.prototype as unknown as {
    registerOutputs: (this: pulumi.ComponentResource, outputs: Properties | undefined) => void;
  };
  prototype.registerOutputs = function (values) {
    registerOutputs.call(this, values);
    // Pulumi calls it again, without values.
    if (values === undefined) return;
    const known = pulumi.all([this.urn, values]);
    components.push(new Promise((resolve) => known.apply(([urn, outputs]) => resolve([urn, outputs as Properties]))));
  };
  try {
    await pulumi.runtime.setMocks({ newResource, call: () => ({}) }, "net", "dev", false);
    await program();
    await pulumi.runtime.disconnect();
  } finally {
    prototype.registerOutputs = registerOutputs;
  }
  const outputsOf = new Map(await Promise.all(components));
  return Promise.all(
    found.map(async ({ type, name, inputs, outputs: own }) => {
      const urn = typeof inputs["owner"] === "string" ? inputs["owner"] : `urn:pulumi:dev::net::${type}::${name}`;
      return { urn, type, parent: "", inputs: type.startsWith(TYPE_PREFIX) ? await checked(type, inputs) : inputs, outputs: outputsOf.get(urn) ?? own };
    }),
  );
}

function entryUuids({ owner, entries }: Properties): Properties {
  return Object.fromEntries(Object.entries(entries as Record<string, { table: string }>).map(([key, { table }]) => [key, rowUuid(String(owner), table, key)]));
}

async function checked(type: string, given: Properties): Promise<Properties> {
  const served = provider(kindOfType(type)) as Required<dynamic.ResourceProvider>;
  await served.configure({ config: { get: () => undefined } } as unknown as dynamic.ConfigureRequest);
  const { inputs, failures = [] } = await served.check({}, { ...(plainText(given) as Properties), dryRun: true });
  if (failures.length > 0) throw new Error(failures.map(({ property, reason }) => `${property}: ${reason}`).join("\n"));
  const { __provider: _provider, ...shown } = inputs as Properties;
  return shown;
}
