import fc from "fast-check";
import { Connections } from "@pulumi-ovn/provider/targets";
import { referenceTo, type SecretPath } from "@pulumi-ovn/provider/testing";
import { handlers, MemberLists } from "@pulumi-ovn/provider/tools";
import { ownerOf, served } from "../../support/provider";

const ZONES = { node1: { northbound: "unix:/nowhere", southbound: "unix:/nowhere", openvswitch: "unix:/nowhere" } };
const targets = new Connections(ZONES, { host1: { command: ["/nowhere/ssh"] } }, { c: { kubeconfig: "/nowhere" } });
type Args = Record<string, unknown>;
const checkOf = (kind: string, news: Args, secrets: SecretPath[]) => handlers[kind]!.check({ urn: ownerOf(kind, "it"), secrets, targets, olds: {}, news });
const rowsOf = async (...check: Parameters<typeof checkOf>) => (await checkOf(...check)).inputs.rows;

const sw = { zone: "node1", name: "l2", subnets: ["203.203.0.0/16"], tunnelKey: 5 };
const ALL = { hidden: "the arguments hold a secret" };

it("shows a row without its secret value", async () => {
  expect(await rowsOf("Layer2Switch", { ...sw, externalIds: { token: "hunter2", team: "net" } }, [["externalIds", "token"]])).toEqual({
    "Logical_Switch l2 external_ids": 'external_ids:team=net external_ids:token="[secret]"',
    "Logical_Switch l2 other_config":
      "other_config:interconn-ts=l2 other_config:mcast_flood_unregistered=true other_config:mcast_querier=false other_config:mcast_snoop=true",
    "Logical_Switch l2 other_config 2": "other_config:requested-tnl-key=5 other_config:subnet=203.203.0.0/16",
  });
});

it("hides names that derive from a secret, in labels and in other columns", async () => {
  expect(await rowsOf("Layer2Switch", { ...sw, name: "hunter2" }, ["name"])).toEqual({
    "Logical_Switch [secret] other_config": 'other_config:interconn-ts="[secret]" other_config:mcast_flood_unregistered=true other_config:mcast_querier=false',
    "Logical_Switch [secret] other_config 2": "other_config:mcast_snoop=true other_config:requested-tnl-key=5 other_config:subnet=203.203.0.0/16",
  });
});

it("hides all lines if a part of a derived value could show the secret", async () => {
  for (const secret of ["tunnelKey", "subnets", ["subnets", "0"]]) expect(await rowsOf("Layer2Switch", sw, [secret])).toEqual(ALL);
  expect(await rowsOf("Layer2Switch", { ...sw, externalIds: { token: "hunter2" } }, ["externalIds", "tunnelKey"])).toEqual(ALL);
  expect(
    await rowsOf(
      "TransitRouter",
      { zone: "node1", name: "tr", tunnelKey: 6, switch: "l2", switchName: "l2", gateway: { addresses: ["203.203.0.1/16"], mac: "0a:58:00:00:00:01" } },
      [["gateway", "mac"]],
    ),
  ).toEqual(ALL);
});

it("hides all lines if the secret is in a list that the arguments refer to", async () => {
  const members = new MemberLists();
  const workloads = { vm1: { zone: "node1", chassis: "node1", addresses: ["10.0.0.5"], mac: "0a:58:0a:00:00:05", tunnelKey: 15 } };
  await handlers.NetworkMembers!.check({
    urn: ownerOf("NetworkMembers", "blue-members"),
    secrets: ["workloads"],
    targets,
    members,
    olds: {},
    news: { nodes: { node1: { id: 2 } }, workloads },
  });
  const news = { zone: "node1", switch: "l2", members: referenceTo("workloads", "blue-members", workloads) };
  expect(
    (await handlers.WorkloadPorts!.check({ urn: ownerOf("WorkloadPorts", "it"), secrets: ["members"], targets, members, olds: {}, news })).inputs.rows,
  ).toEqual(ALL);
});

/** Forms in which a text could be read. */
const formsOf = (secret: string) => [secret, JSON.stringify(secret).slice(1, -1), Buffer.from(secret).toString("base64")].map((text) => text.toLowerCase());

/** Long enough not to be a part of other words by chance. */
const secrets = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z0-9+/=_.-]{7,24}$/),
    fc.string({ minLength: 7, maxLength: 24 }),
    fc.string({ minLength: 7, maxLength: 24, unit: "grapheme" }),
    fc.stringMatching(/^([0-9]{1,3}\.){3}[0-9]{1,3}(\/24)?$/),
    fc.stringMatching(/^[0-9]{7,15}$/),
  )
  .filter((secret) => /[^\s:/.]{4}/.test(secret));
const around = fc.constantFrom<(secret: string) => string>(
  (secret) => secret,
  (secret) => `plain-${secret}`,
  (secret) => `${secret} x`,
  (secret) => secret.toUpperCase(),
);

/** Arguments with a secret somewhere, and what a program would say of where. */
const cases: Record<string, (secret: string) => [kind: string, args: Args, paths: SecretPath[]]> = {
  "an entry of a map": (secret) => ["Layer2Switch", { ...sw, externalIds: { token: secret, team: "net" } }, [["externalIds", "token"]]],
  "a map": (secret) => ["Layer2Switch", { ...sw, externalIds: { token: secret, [secret]: "team" } }, ["externalIds"]],
  "a name": (secret) => ["Layer2Switch", { ...sw, name: secret }, ["name"]],
  "a member of a list": (secret) => [
    "NorthboundRows",
    { zone: "node1", entries: { a: { table: "Address_Set", columns: { name: "open", addresses: ["other", secret] } } } },
    [["entries", "a", "columns", "addresses", "1"]],
  ],
  columns: (secret) => [
    "NorthboundRows",
    { zone: "node1", entries: { a: { table: "ACL", columns: { match: secret, options: { psk: secret } } } } },
    [["entries", "a", "columns"]],
  ],
  "a flow": (secret) => [
    "BridgeFlows",
    { host: "host1", bridges: [{ bridge: "br0", flows: ["ip,actions=drop", `arp,actions=output:"${secret}"`] }] },
    [["bridges", "0", "flows", "1"]],
  ],
  "a field of an object": (secret) => [
    "KubernetesObjects",
    {
      cluster: "c",
      objects: { a: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a", namespace: "b" }, data: { list: [{ password: secret }], note: "x" } } },
    },
    [["objects", "a", "data", "list", "0", "password"]],
  ],
  "the data of an object": (secret) => [
    "KubernetesObjects",
    {
      cluster: "c",
      objects: { a: { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "a" }, data: { secret: Buffer.from(secret).toString("base64") }, plain: secret } },
    },
    [["objects", "a", "plain"]],
  ],
};

/** Visible text of it, in lower case. */
async function textOf([kind, args, paths]: ReturnType<(typeof cases)[string]>): Promise<string> {
  const { inputs, diagnostics } = await checkOf(kind, args, paths);
  return JSON.stringify([inputs.rows, diagnostics.filter(({ severity }) => severity === "warning")]).toLowerCase();
}

it.each(Object.keys(cases))("never shows a secret, in any form: %s", async (where) => {
  // Words that are always there reveal nothing of the secret.
  const always = JSON.stringify(ALL).toLowerCase() + (await textOf(cases[where]!("Qqqqq-7777")));
  await fc.assert(
    fc.asyncProperty(secrets, around, async (secret, wrap) => {
      const forms = formsOf(wrap(secret)).filter((form) => !always.includes(form));
      const text = await textOf(cases[where]!(wrap(secret)));
      for (const form of forms) expect(text).not.toContain(form);
    }),
    { numRuns: 200 },
  );
});

/** Words of the refusals themselves. */
const ALWAYS = "must be a name of letters, digits and _ is required needs text, a number";

it("hides a secret in refusals, also inside of a longer text", async () => {
  const provider = await served("NorthboundRows", ZONES);
  await fc.assert(
    fc.asyncProperty(fc.stringMatching(/^[g-zG-Z][A-Za-z0-9 "'\\/-]{6,20}$/), async (secret) => {
      const args = {
        zone: "node1",
        entries: { a: { table: secret, columns: { x: secret } }, b: { table: `x${secret}y`, parent: { table: "T", row: "", column: secret } } },
        owner: ownerOf("NorthboundRows", "it"),
        redact: [
          ["entries", "a", "table"],
          ["entries", "b", "parent", "column"],
        ],
      };
      const { failures = [] } = await provider.check({}, args);
      expect(failures.length).toBeGreaterThan(0);
      for (const { reason } of failures)
        for (const form of formsOf(secret).filter((text) => !ALWAYS.includes(text))) expect(reason.toLowerCase()).not.toContain(form);
    }),
    { numRuns: 100 },
  );
});
