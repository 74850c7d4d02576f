import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Answer, ask, fromText, programs, questionsOf, Shadows, toText, tracing, worldBefore } from "@pulumi-ovn/cli/testing";
import { projectRoot } from "@pulumi-ovn/sandbox/testing";
import { partsOf, planBetween } from "../../../support/planned";

jest.setTimeout(120_000);

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), "loop-"))));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** A program that starts the stand-in and waits until it is ready, as `--detach` does. */
async function loopingFor(address: string, real: string): Promise<string> {
  const path = join(folder, "ovn-trace");
  const script = `#!/bin/sh
for each; do case $each in --unixctl=*) socket=\${each#*=};; --pidfile=*) pid=\${each#*=};; --db=*) database=$each;; esac; done
"${process.execPath}" "${join(projectRoot, "test/support/looping-trace.js")}" "${real}" ${address} "$socket" "$pid" "$database" &
while [ ! -s "$pid" ]; do sleep 0.05; done
`;
  await writeFile(path, script, { mode: 0o755 });
  return path;
}

it("does not know the answer to a question for which ovn-trace takes more than 4 GB, and answers all others asked at the same time", async () => {
  const network = partsOf({
    name: "blue",
    subnets: ["203.203.0.0/16"],
    tunnelKeys: { switch: 16715779, router: 16715780 },
    nodes: { node1: { id: 2, external: { addresses: ["172.18.0.11/24"], nextHops: ["172.18.0.1"] } } },
    workloads: Object.fromEntries([1, 2, 3].map((index) => [`vm${index}`, { node: "node1", addresses: [`203.203.0.2${index}`] }])),
  }).filter(({ kind }) => !kind.includes("Gateway"));
  const real = await programs();
  const ovnTrace = await loopingFor("203.203.0.22", real.paths["ovn-trace"]);
  await using shadows = await Shadows.create(() => Promise.resolve({ ...real, paths: { ...real.paths, "ovn-trace": ovnTrace } }), 4);
  const world = await worldBefore(await planBetween(network, network), shadows, () => () => undefined);
  const asked = questionsOf(world, world).map(async ({ after }): Promise<[string, Pick<Answer, "reach" | "unknowns">]> => {
    const { reach, unknowns } = await ask(world, tracing(world, shadows.trace.bind(shadows)), after);
    return [`${fromText(after)} to ${toText(after)}`, { reach, unknowns }];
  });
  const unknown = { reach: undefined, unknowns: ["ovn-trace does not end, probably because packets multiply in a loop"] };
  const withoutGateway = { reach: false, unknowns: [] };
  const reached = { reach: true, unknowns: [] };
  expect(Object.fromEntries(await Promise.all(asked))).toEqual({
    "vm1 to outside": withoutGateway,
    "vm2 to outside": withoutGateway,
    "vm3 to outside": withoutGateway,
    "vm1 to vm2": unknown,
    "vm1 to vm3": reached,
    "vm2 to vm1": unknown,
    "vm2 to vm3": unknown,
    "vm3 to vm1": reached,
    "vm3 to vm2": unknown,
  });
});
