import { Layer2Network, type Layer2NetworkArgs } from "pulumi-ovn";
import { later, registeredBy } from "../../support/program";
import { node } from "../topology/networks";

type Advertised = NonNullable<Layer2NetworkArgs["advertised"]>;

/** Networks on one node, each with an IPv4 and an IPv6 subnet, in this order. */
function program(networks: Readonly<Record<string, Advertised | undefined>>, subnetsOf = (index: number): Layer2NetworkArgs["subnets"] => subnets(index)) {
  return registeredBy(() => {
    Object.entries(networks).forEach(([name, advertised], index) => {
      const external = { addresses: [`172.18.0.${20 + index}/24`] };
      const own = { name, subnets: subnetsOf(index), tunnelKeys: [5 + 2 * index, 6 + 2 * index], nodes: { node1: { ...node(1), external } } };
      void new Layer2Network(name, { ...own, ...(advertised && { advertised }) });
    });
  });
}
const subnets = (index: number) => [`10.${index}.0.0/16`, `fd00:${index + 1}::/64`];

/** Matches of the policies of each network's gateway router. */
async function dropped(made: ReturnType<typeof program>): Promise<Record<string, string[]>> {
  const routers = (await made).filter(({ kind }) => kind === "GatewayRouter");
  return Object.fromEntries(
    routers.map(({ name, inputs }) => [
      name.split("-")[0]!,
      Object.values((inputs.policies ?? {}) as Record<string, { match: string }>).map(({ match }) => match),
    ]),
  );
}
const way = (family: 4 | 6, from: string, to: string) => `ip${family}.src == ${from} && ip${family}.dst == ${to}`;
const both = (mine: number, other: number) =>
  ([4, 6] as const).flatMap((family, index) => {
    const [own, theirs] = [subnets(mine)[index]!, subnets(other)[index]!];
    return [way(family, own, theirs), way(family, theirs, own)];
  });

it("isolates each advertised network from earlier ones, in both directions", async () => {
  const { blue, plain, green, red } = await dropped(program({ blue: {}, plain: undefined, green: {}, red: {} }));
  expect([blue, plain]).toEqual([[], []]);
  expect(green!.sort()).toEqual(both(2, 0).sort());
  expect(red!.sort()).toEqual([...both(3, 0), ...both(3, 2)].sort());
});

it("does so with subnets that are known later", async () => {
  const { green } = await dropped(program({ blue: {}, green: {} }, (index) => subnets(index).map(later) as never));
  expect(green!.sort()).toEqual(both(1, 0).sort());
});

it("omits a network that is not isolated", async () => {
  expect(await dropped(program({ blue: { isolate: false }, green: {}, red: { isolate: false } }))).toEqual({ blue: [], green: [], red: [] });
});

it("adds nothing if both networks isolate themselves, or have equal addresses", async () => {
  // In other spellings, too.
  const mutual = await dropped(
    program({ blue: { isolateFrom: ["10.1.0.0/16", "fd00:0002::/64"] }, green: { isolateFrom: ["10.0.0.0/16", "fd00:0001::/64"] } }),
  );
  expect(mutual["green"]).toEqual(([4, 6] as const).map((family, index) => way(family, subnets(1)[index]!, subnets(0)[index]!)));
  expect(await dropped(program({ blue: {}, green: {} }, () => subnets(7)))).toEqual({ blue: [], green: [] });
});
