import type { EngineEvent } from "@pulumi/pulumi/automation";
import { differenceOf, readPreview } from "@pulumi-ovn/cli/diff";
import { listsIn, UpgradeSeen as Seen, withMembers } from "@pulumi-ovn/cli/testing";
import { packed, referenceTo, withPrevious } from "@pulumi-ovn/provider/testing";
import { networkIn, rowDifferences, type StackResource } from "@pulumi-ovn/cli/upgrade";
import { type Layer2NetworkArgs, planLayer2Network, typeToken } from "@pulumi-ovn/provider";
import { everyNode, inState, resourcesOf, wide } from "../../support/upgrade-stack";

const LISTS = { Layer2Gateway: ["nodes", "nodes"], WorkloadPorts: ["workloads", "ports"], RemoteChassis: ["chassis", "chassis"] } as const;
const MEMBERS = typeToken("NetworkMembers");
const urn = `urn:pulumi:dev::net::ovn:network:Layer2Network$${MEMBERS}::blue-members`;

/** The resources as an engine shows those of a stack: zones refer to lists. */
function referring(args: Layer2NetworkArgs): StackResource[] {
  const { members } = planLayer2Network(args);
  const lists = Object.fromEntries(Object.entries(members).map(([list, entries]) => [list, referenceTo(list, "blue-members", entries as never)]));
  const [component, ...children] = resourcesOf(args);
  const holder: StackResource = { urn, type: MEMBERS, parent: component!.urn, inputs: { ...members, lists } };
  return [
    component!,
    holder,
    ...children.map((child) => {
      const [list, argument] = LISTS[child.type.split(":").at(-1) as keyof typeof LISTS] ?? [];
      if (!list) return child;
      const { [argument!]: _own, ...inputs } = child.inputs;
      const properties = { ...inputs, members: lists[list] };
      return { ...child, inputs: properties, outputs: properties };
    }),
  ];
}

const old = inState({ upgrade: undefined, nodes: everyNode("gateway") });
const move = inState({ upgrade: "move", nodes: { ...everyNode("gateway"), node1: "transit" } });
const whole = (args: Layer2NetworkArgs) => resourcesOf(args).map(({ inputs }) => inputs);

it("replaces references by the lists", () => {
  const resources = referring(old);
  const lists = listsIn(resources);
  const found = resources.filter(({ type }) => type !== MEMBERS).map((resource) => withMembers(resource, lists));
  expect(found.map(({ inputs }) => inputs)).toEqual(whole(old));
  expect(found.find(({ type }) => type.endsWith(":WorkloadPorts"))!.outputs).toHaveProperty("ports");
});

it("keeps a reference to a missing list", () => {
  const [ports] = referring(old).filter(({ type }) => type.endsWith(":WorkloadPorts"));
  expect(withMembers(ports!, listsIn([]))).toEqual(ports);
});

const event = (op: string, before: StackResource | undefined, after: StackResource | undefined) =>
  ({ resourcePreEvent: { metadata: { op, urn: (after ?? before)!.urn, old: before, new: after } } }) as unknown as EngineEvent;

describe("a preview of an upgrade", () => {
  const seenOf = (before: readonly StackResource[], after: readonly StackResource[]) => {
    const seen = new Seen();
    for (const [index, wanted] of after.entries()) seen.event(event("update", before[index], wanted));
    return seen.preview();
  };

  it("contains the network before and after", () => {
    const { before, after } = seenOf(referring(old), referring(move));
    expect([networkIn(before, "blue").settings, networkIn(after, "blue").settings]).toEqual([
      { upgrade: undefined, nodes: everyNode("gateway") },
      { upgrade: "move", nodes: { ...everyNode("gateway"), node1: "transit" } },
    ]);
    expect(networkIn(after, "blue").workloads).toEqual(networkIn(resourcesOf(move), "blue").workloads);
    expect(rowDifferences(before, after)).toEqual(rowDifferences(resourcesOf(old), resourcesOf(move)));
  });

  it("ignores its refresh (refresh: always), and keeps the state before it", () => {
    const drifted = (resource: StackResource) => ({ ...resource, inputs: { ...resource.inputs, digest: "drifted" } });
    const [same, changed, gone] = resourcesOf(old) as [StackResource, StackResource, StackResource];
    const wanted = resourcesOf(move).find(({ urn }) => urn === changed.urn)!;
    const seen = new Seen();
    for (const resource of [same, changed, gone]) seen.event(event("refresh", resource, drifted(resource)));
    for (const each of [event("same", same, same), event("update", drifted(changed), wanted), event("delete", drifted(gone), undefined)]) seen.event(each);
    const { before, after, changing } = seen.preview();
    expect(changing).toEqual([changed.urn, gone.urn]);
    expect(before.map(({ inputs }) => inputs)).toEqual([same, changed, gone].map(({ inputs }) => inputs));
    expect(after.map(({ urn, inputs }) => [urn, inputs])).toEqual([
      [same.urn, same.inputs],
      [wanted.urn, wanted.inputs],
    ]);
  });

  it("contains the network also after an interrupted update, when the zones have one list and the state the next one", () => {
    const [holder] = referring(old).filter(({ type }) => type === MEMBERS);
    const [next] = referring(move).filter(({ type }) => type === MEMBERS);
    const interrupted = referring(old).map((resource) =>
      resource === holder || resource.type !== MEMBERS ? resource : { ...next!, outputs: withPrevious(holder!.inputs, next!.inputs) },
    );
    const { before } = seenOf(interrupted, referring(move));
    expect(networkIn(before, "blue").settings.nodes).toEqual(everyNode("gateway"));
  });
});

describe("a diff", () => {
  const names = Array.from({ length: 12 }, (_, index) => `node${index + 1}`);
  const network = wide(12, (nodes) => ({ upgrade: undefined, nodes: everyNode("transit", nodes) }));
  const more: Layer2NetworkArgs = { ...network, workloads: { ...network.workloads, vm99: { node: "node7", addresses: ["203.203.9.9"] } } };
  const states = (op: (before: StackResource, after: StackResource) => string | undefined) => {
    const [before, after] = [referring(network), referring(more)];
    const steps = after.flatMap((wanted, index) => {
      const found = op(before[index]!, wanted);
      return found ? [{ op: found, urn: wanted.urn, oldState: before[index], newState: wanted }] : [];
    });
    return differenceOf(readPreview(JSON.stringify({ steps }), "it"));
  };
  const changed = (before: StackResource, after: StackResource) => JSON.stringify(before.inputs) !== JSON.stringify(after.inputs);

  it("shows the row of a further workload, in each zone, at any size", () => {
    const { zones, counts, others } = states((before, after) => (changed(before, after) ? "update" : undefined));
    expect(counts).toMatchObject({ added: 12, changed: 0, removed: 0, uncounted: 0 });
    expect(
      zones.map(({ zone, resources }) => [
        zone,
        ...resources.map(({ kind, rows }) => `${kind} ${rows.map(({ operation, row }) => `${operation} ${row}`).join()}`),
      ]),
    ).toEqual(names.map((zone) => [zone, "WorkloadPorts add vm99"]));
    expect(others.map(({ type, properties }) => [type, properties])).toEqual([["NetworkMembers", ["lists", "workloads"]]]);
  });

  it("shows it also after an interrupted update, when the state has the next list and zones refer to the earlier one", () => {
    // More rows than have lines of their own.
    const workloads = Object.fromEntries(Array.from({ length: 70 }, (_, index) => [`many${index}`, { node: "node1", addresses: [`203.203.8.${index}`] }]));
    const [before, after] = [network, more].map((args) => referring({ ...args, workloads: { ...args.workloads, ...workloads } })) as [
      StackResource[],
      StackResource[],
    ];
    const steps = after.flatMap((wanted, index) => {
      const old = before[index]!;
      if (wanted.type !== MEMBERS) return changed(old, wanted) ? [{ op: "update", urn: wanted.urn, oldState: old, newState: wanted }] : [];
      const outputs = packed(withPrevious(old.inputs, wanted.inputs), new Set(["nodes", "chassis", "workloads"]));
      return [{ op: "same", urn: wanted.urn, oldState: { ...wanted, outputs }, newState: wanted }];
    });
    expect(differenceOf(readPreview(JSON.stringify({ steps }), "it")).counts).toMatchObject({ added: 12, changed: 0, removed: 0, uncounted: 0 });
  });

  it("shows rows also with an unchanged list, if the preview contains the list", () => {
    const large = wide(24, (nodes) => ({ upgrade: undefined, nodes: everyNode("transit", nodes) }));
    const [before, after] = [referring(large), referring({ ...large, externalIds: { who: "me" } })];
    const of = (shown: boolean) =>
      differenceOf(
        readPreview(
          JSON.stringify({
            steps: after.flatMap((wanted, index) =>
              changed(before[index]!, wanted)
                ? [{ op: "update", urn: wanted.urn, oldState: before[index], newState: wanted }]
                : shown
                  ? [{ op: "same", urn: wanted.urn, oldState: before[index], newState: wanted }]
                  : [],
            ),
          }),
          "it",
        ),
      );
    const uncounted = (difference: ReturnType<typeof of>) => difference.counts.uncounted;
    expect([uncounted(of(true)), uncounted(of(false)) > 0]).toEqual([0, true]);
  });
});
