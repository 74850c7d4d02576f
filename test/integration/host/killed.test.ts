import { HeldResource } from "../../support/held-resource";
import { type Effect, Killer } from "../../support/killer";
import { Switches } from "../../support/switches";
import { BRIDGES, TIERS } from "../../support/vpc-host";
import type { Connections } from "@pulumi-ovn/provider/targets";

jest.setTimeout(600_000);

// Creates, updates and deletes that are killed after each of their effects on a host; then the next run, from the state before.
const switches = Switches.of({ name: "vpc-killed", hosts: 1, workloads: [] });
let killer: Killer;
let targets: Connections;
beforeAll(async () => {
  killer = await Killer.start(switches.sandbox.targets.hosts["node1"]!);
  targets = switches.targets();
  await switches.bridge("node1", "theirs", "p1", "p2");
  await switches.on("node1", "ovs-ofctl", "-O", "OpenFlow14", "add-flow", "theirs", "cookie=0x77,table=9,ip,actions=drop");
});
afterAll(async () => {
  await targets?.close();
  await killer?.[Symbol.asyncDispose]();
});

const ROUTER = { host: "node1", vpc: "blue", mac: "0e:00:00:00:00:01", tiers: TIERS, remotes: ["node2"], datapathType: "netdev" };
const workload = (number: number) => ({ [`web${number}`]: { tier: "web", mac: `0a:00:00:00:00:0${number}`, addresses: [`10.1.1.1${number}`] } });
const own = (action: "allow" | "deny") => ({
  acls: { own: [{ number: 7, action, direction: "ingress" }] },
  tiers: { ...TIERS, web: { ...TIERS.web, acl: "own" } },
});

/** Everything that the host has, but for what a test on purpose compares for itself: the numbers of updates. */
async function host(): Promise<string> {
  const rows = ["Bridge external_ids,fail_mode,name,ports", "Port interfaces,name,protected,tag", "Interface name,options,type"].map(
    (table) => `ovs-vsctl --columns=_uuid,${table.split(" ")[1]} --format=list list ${table.split(" ")[0]}`,
  );
  const text = await switches.on(
    "node1",
    "sh",
    "-c",
    `${rows.join("; ")}; for bridge in $(ovs-vsctl list-br); do echo $bridge; ovs-ofctl -O OpenFlow14 --names --no-stats dump-flows $bridge | sort; done`,
  );
  return text
    .replaceAll(/"pulumi-ovn:(?:sequence|succeeds)"="?\w*"?(?:, )?/g, "")
    .replaceAll(", }", "}")
    .split("\n\n")
    .sort()
    .join("\n\n");
}

interface Kind {
  readonly kind: string;
  readonly before?: readonly [kind: string, args: object];
  readonly versions: readonly [object, object];
  readonly effects: Readonly<Record<"create" | "update" | "delete", Readonly<Record<Effect, number>>>>;
}

const kinds: readonly Kind[] = [
  {
    kind: "VpcBridges",
    // A tier is removed, another one is added, and a tunnel changes.
    versions: [BRIDGES, { ...BRIDGES, tiers: { db: 1003, web: 1001 }, remotes: { node2: "198.18.0.3" } }],
    effects: { create: { rows: 3, flows: 2 }, update: { rows: 3, flows: 1 }, delete: { rows: 1, flows: 2 } },
  },
  {
    kind: "LogicalRouterBridge",
    before: ["VpcBridges", BRIDGES],
    versions: [
      { ...ROUTER, workloads: workload(1) },
      { ...ROUTER, ...own("deny"), workloads: { ...workload(2), ...workload(3) }, enabled: false },
    ],
    // Redirects come last, and go first.
    effects: { create: { rows: 3, flows: 5 }, update: { rows: 2, flows: 3 }, delete: { rows: 1, flows: 5 } },
  },
  {
    kind: "BridgeFlows",
    before: ["VpcBridges", BRIDGES],
    versions: [
      {
        host: "node1",
        bridges: [
          { bridge: "theirs", flows: ["priority=3,in_port=p1,actions=output:p2", "table=3,actions=drop"] },
          { bridge: "br-t1001", flows: ["table=9,actions=drop"] },
        ],
      },
      {
        host: "node1",
        bridges: [
          { bridge: "theirs", flows: ["priority=3,in_port=p1,actions=drop"] },
          { bridge: "br-t1002", flows: ["table=9,actions=drop"] },
        ],
      },
    ],
    effects: { create: { rows: 0, flows: 2 }, update: { rows: 0, flows: 3 }, delete: { rows: 0, flows: 2 } },
  },
];

describe.each(kinds)("$kind", ({ kind, before, versions, effects }) => {
  let ground: HeldResource | undefined;
  let resource: HeldResource;
  /** State of the host without the resource, and with each version of the resource after an undisturbed write. */
  let empty: string;
  let undisturbed: string[];
  beforeAll(async () => {
    ground = before && new HeldResource(before[0], "urn:pulumi:dev::vpc::x::ground", targets);
    await ground?.up(before![1]);
    empty = await host();
    resource = new HeldResource(kind, `urn:pulumi:dev::vpc::x::${kind}`, targets);
    undisturbed = [];
    for (const version of versions) {
      await resource.up(version);
      undisturbed.push(await host());
    }
    expect(new Set([empty, ...undisturbed]).size).toBe(3);
    await resource.destroy();
  });
  afterAll(async () => ground?.destroy());

  /** Flows that a packet lacks which a redirect of another bridge leads there. */
  const lost = async () => {
    const text = kind === "LogicalRouterBridge" ? await host() : "";
    return text.includes("output:pt")
      ? ["in_port=pt1001 ", "in_port=pt1002 ", "in_port=pr1001,", "in_port=pr1002,"].filter((flow) => !text.includes(flow))
      : [];
  };

  /** Each moment, and one after the last: all is written, but the state was not saved. */
  const moments = (operation: keyof typeof effects) =>
    (["rows", "flows"] as const).flatMap((effect) => Array.from({ length: effects[operation][effect] }, (_, index) => [effect, index + 1] as const));

  test("created and deleted", async () => {
    const deletes = moments("delete");
    for (const [index, create] of moments("create").entries()) {
      expect([create, await killer.run(resource, "create", versions[0], ...create), await lost()]).toEqual([create, true, []]);
      // The next run does not know of it.
      await resource.up(versions[0]);
      expect([create, await host()]).toEqual([create, undisturbed[0]]);
      const remove = deletes[index];
      if (remove) expect([remove, await killer.run(resource, "delete", undefined, ...remove), await lost()]).toEqual([remove, true, []]);
      await resource.destroy();
      expect([remove, await host()]).toEqual([remove, empty]);
    }
    expect(deletes.length).toBeLessThanOrEqual(moments("create").length);
  });

  test("changed, to one version and to the other", async () => {
    await resource.up(versions[0]);
    for (const [index, moment] of moments("update").entries()) {
      const to = (index + 1) % 2;
      expect([moment, await killer.run(resource, "update", versions[to], ...moment)]).toEqual([moment, true]);
      await resource.up(versions[to]!);
      expect([moment, await host(), await resource.refresh()]).toEqual([moment, undisturbed[to], undefined]);
      // Killed with everything written: the number is there, too.
      const whole = moment[0] === "rows" && moment[1] === effects.update.rows;
      // The tunnel that the killed update changed differs from the state, which a check reports.
      const changed = kind === "VpcBridges" ? ["OVN_WARN_CHANGED"] : [];
      expect([moment, resource.warnings.map(({ code }) => code)]).toEqual([moment, [...changed, ...(whole ? ["OVN_WARN_SEQUENCE"] : [])]]);
    }
    // Killed with another program than the next run has, and then the stack is destroyed.
    const [last] = moments("update").slice(-1);
    await killer.run(resource, "update", versions[0], ...last!);
    await killer.run(resource, "update", versions[1], ...moments("update")[0]!);
    await resource.destroy();
    expect(await host()).toBe(empty);
  });

  test("there are no further points in time", async () => {
    const ends = { create: "rows", update: "flows", delete: kind === "BridgeFlows" ? "flows" : "rows" } as const;
    for (const [operation, news] of [
      ["create", versions[0]],
      ["update", versions[1]],
      ["delete", undefined],
    ] as const) {
      const effect = ends[operation];
      expect([operation, await killer.run(resource, operation, news, effect, effects[operation][effect] + 1)]).toEqual([operation, false]);
      if (news) await resource.up(news);
    }
    await resource.destroy();
    expect(await host()).toBe(empty);
  });
});
