import { readPreview } from "@pulumi-ovn/cli/diff";
import { planOf } from "@pulumi-ovn/cli/testing";

const urn = (kind: string, name: string) => `urn:pulumi:dev::trial::pulumi-nodejs:dynamic/ovn:${kind}::${name}`;
const state = (kind: string, inputs: object, dependencies: readonly string[] = []) => ({ type: `pulumi-nodejs:dynamic/ovn:${kind}`, inputs, dependencies });
const planned = (steps: readonly object[]) => planOf(readPreview(JSON.stringify({ steps }), "the preview"));

const router = state("TransitRouter", { zone: "node1", owner: "urn:pulumi:old", digest: "1" });
const peer = state("GatewayPeer", { zone: "node1", digest: "2" }, [urn("TransitRouter", "router")]);

it("has every resource of the package before and after, dependencies first", () => {
  const plan = planned([
    { op: "same", urn: "urn:pulumi:dev::trial::pulumi:pulumi:Stack::trial-dev", oldState: { type: "pulumi:pulumi:Stack" } },
    { op: "create", urn: urn("Layer2Switch", "switch"), newState: state("Layer2Switch", { zone: "node2" }) },
    {
      op: "same",
      urn: urn("WorkloadPorts", "ports"),
      oldState: state("WorkloadPorts", { zone: "node1" }),
      newState: state("WorkloadPorts", { zone: "node1" }),
    },
    { op: "delete", urn: urn("GatewayPeer", "peer"), oldState: peer },
    { op: "delete", urn: urn("TransitRouter", "router"), oldState: router },
    { op: "create", urn: "urn:pulumi:dev::trial::kubernetes:core/v1:ConfigMap::map", newState: { type: "kubernetes:core/v1:ConfigMap" } },
  ]);
  expect([plan.project, plan.stack]).toEqual(["trial", "dev"]);
  expect(
    plan.resources.map(({ kind, name, operation, owner, before, after }) => [kind, name, operation, owner, before?.target?.name, after?.target?.name]),
  ).toEqual([
    ["Layer2Switch", "switch", "create", urn("Layer2Switch", "switch"), undefined, "node2"],
    ["WorkloadPorts", "ports", "same", urn("WorkloadPorts", "ports"), "node1", "node1"],
    ["TransitRouter", "router", "delete", "urn:pulumi:old", "node1", undefined],
    ["GatewayPeer", "peer", "delete", urn("GatewayPeer", "peer"), "node1", undefined],
  ]);
});

it("reports unknown targets and rows, and omits the remainder of an interrupted replacement", () => {
  const unknown = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";
  const plan = planned([
    { op: "update", urn: urn("TransitRouter", "a"), oldState: router, newState: state("TransitRouter", { zone: unknown, rows: unknown }) },
    {
      op: "update",
      urn: urn("TransitRouter", "b"),
      oldState: router,
      newState: state("TransitRouter", { zone: "node1", rows: { hidden: "the arguments hold a secret" } }),
    },
    { op: "delete", urn: urn("TransitRouter", "b"), oldState: { ...router, delete: true } },
  ]);
  expect(plan.resources.map(({ name, operation, after }) => [name, operation, after?.target, after?.untold])).toEqual([
    ["a", "update", undefined, "unknown"],
    ["b", "update", { kind: "zone", name: "node1" }, "secret"],
  ]);
});
