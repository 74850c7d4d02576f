import * as fc from "fast-check";
import { desired } from "@pulumi-ovn/agent";
import type { PortBinding } from "@pulumi-ovn/provider/agent";
import { exposureOf } from "../../../support/agent-input";
import { BRIDGE, ELSEWHERE, HERE, balancer, bound, gatewayPort, joined, localnet, snapshot } from "./snapshots";

/** Everything that a small cloud may have, each row there or not; no two networks have an address in common. */
const chassis = fc.constantFrom(HERE, ELSEWHERE, null);
const vm = (name: string, network: string, address: string) =>
  fc.record({ chassis, up: fc.boolean(), type: fc.constantFrom("", "virtual") }).map((more) => [bound(name, network, `0a:00:00:00:00:05 ${address}`, more)]);
const router = (n: number) =>
  fc.record({ chassis, fip: fc.boolean(), gateway: fc.boolean() }).map(({ chassis: at, fip, gateway }) => {
    const natAddresses = fip ? [`0a:00:00:00:0${n}:01 198.51.100.${50 + n}`, `0a:00:00:00:00:f${n} 198.51.100.${60 + n} is_chassis_resident("vm${n}")`] : [];
    const mac = `0a:00:00:00:0${n}:01 198.51.100.${n}/24 2001:db8::${n}/64`;
    const outside = gateway
      ? joined(`router${n}`, "ext", mac, { type: "l3gateway", router: { chassis: at }, switch: { chassis: at, natAddresses } })
      : gatewayPort(`router${n}`, "ext", mac, at, { switch: { natAddresses } });
    return [...outside, ...joined(`router${n}`, `tenant${n}`, `0a:00:00:00:0${n}:02 10.${n}.0.1/24 2001:db8:${n}::1/64`)];
  });
const optional = (rows: fc.Arbitrary<PortBinding[]>) => fc.oneof({ weight: 3, arbitrary: rows }, { weight: 1, arbitrary: fc.constant([]) });
const groups = fc.tuple(
  ...[1, 2, 3].flatMap((n) => [
    optional(router(n)),
    optional(vm(`vm${n}`, `tenant${n}`, `10.${n}.0.5 2001:db8:${n}::5`)),
    optional(vm(`p${n}`, n === 3 ? "ext2" : "ext", `198.51.100.${80 + n}`)),
  ]),
  optional(fc.constant([localnet("ln", "ext", "physnet")])),
  optional(fc.constant([localnet("ln-vlan", "ext2", "physnet", 7)])),
);
const balancers = fc.subarray([1, 2, 3].map((n) => balancer(`lb${n}`, [`router${n}`], { [`198.51.100.${70 + n}:80`]: `10.${n}.0.5:80` })));
const asked = fc.record({
  floatingIPs: fc.boolean(),
  loadBalancers: fc.boolean(),
  providerPorts: fc.boolean(),
  tenantNetworks: fc.constantFrom("subnet" as const, "host" as const, undefined),
  tenantAddresses: fc.constantFrom("all" as const, "global" as const),
});
const worlds = fc.record({
  rows: groups.map((all) => all.flat()),
  loadBalancers: balancers,
  exposures: fc.array(asked, { minLength: 1, maxLength: 3 }).map((list) => Object.fromEntries(list.map((one, index) => [`e${index}`, exposureOf(one)]))),
});
const from = ({
  rows,
  loadBalancers,
  exposures,
}: {
  rows: readonly PortBinding[];
  loadBalancers: ReturnType<typeof balancer>[];
  exposures: Record<string, string>;
}) => desired(snapshot(rows, {}, { exposures, loadBalancers, bridges: { physnet: BRIDGE } }));

test("the result does not depend on the order of rows", () => {
  fc.assert(
    fc.property(worlds, fc.infiniteStream(fc.nat()), (setting, chance) => {
      const shuffled = <T>(list: readonly T[]) =>
        list
          .map((item) => [chance.next().value as number, item] as const)
          .sort(([a], [b]) => a - b)
          .map(([, item]) => item);
      const other = {
        rows: shuffled(setting.rows),
        loadBalancers: shuffled(setting.loadBalancers),
        exposures: Object.fromEntries(shuffled(Object.entries(setting.exposures))),
      };
      expect(from(other)).toEqual(from(setting));
    }),
  );
});

test("nothing is listed twice, and every referenced object exists", () => {
  fc.assert(
    fc.property(worlds, (setting) => {
      const { state } = from(setting);
      for (const list of [state.devices, state.taggedPorts, state.addresses, state.neighbors, state.proxies, state.rules])
        expect(new Set(list.map((item) => JSON.stringify(item))).size).toBe(list.length);
      expect(new Set(state.routes.map(({ destination }) => destination)).size).toBe(state.routes.length);
      expect(new Set(state.neighbors.map(({ device, address }) => `${device} ${address}`)).size).toBe(state.neighbors.length);
      const direct = new Set(state.routes.filter(({ via }) => via === null).map(({ destination, device }) => `${device} ${destination.split("/")[0]}`));
      for (const { via, device } of state.routes) if (via !== null && !via.startsWith("fe80:")) expect(direct).toContain(`${device} ${via}`);
      const devices = new Set(state.devices);
      for (const { device } of [...state.routes, ...state.neighbors, ...state.proxies, ...state.addresses]) expect(devices).toContain(device);
      // A prepared device has all that a route needs but neighbours and proxies.
      expect(new Set(state.addresses.map(({ device }) => device))).toEqual(devices);
    }),
  );
});

test("the removal of a workload, load balancer or bound gateway adds no address", () => {
  fc.assert(
    fc.property(worlds, fc.nat(), (setting, chance) => {
      const destinationsOf = (w: typeof setting) => from(w).state.routes.map(({ destination }) => destination);
      const before = new Set(destinationsOf(setting));
      const goes = (row: PortBinding) => row.type === "" || row.type === "virtual" || row.type === "chassisredirect";
      const candidates = setting.rows.filter(goes);
      const gone = candidates[chance % Math.max(candidates.length, 1)];
      for (const destination of destinationsOf({ ...setting, rows: setting.rows.filter((row) => row !== gone) })) expect(before).toContain(destination);
      for (const destination of destinationsOf({ ...setting, loadBalancers: setting.loadBalancers.slice(1) })) expect(before).toContain(destination);
    }),
  );
});

test("at most one chassis announces an address", () => {
  fc.assert(
    fc.property(worlds, (setting) => {
      const everywhere = Object.fromEntries(Object.entries(setting.exposures).map(([name, text]) => [name, text.replace('["h1"]', '["h1","h2"]')]));
      const on = (name: string, uuid: string) =>
        desired(snapshot(setting.rows, {}, { exposures: everywhere, loadBalancers: setting.loadBalancers, chassis: { name, uuid } })).state.routes.map(
          ({ destination }) => destination,
        );
      const there = new Set(on("h2", ELSEWHERE));
      expect(on("h1", HERE).filter((destination) => there.has(destination))).toEqual([]);
    }),
  );
});

test("work grows linearly with the number of workloads", () => {
  const reads = (size: number): number => {
    let count = 0;
    const row = (n: number): PortBinding =>
      new Proxy(bound(`vm${n}`, "ext", `0a:00:00:00:00:05 10.0.${n >> 8}.${n & 255}`), {
        get: (target, key) => (count++, Reflect.get(target, key) as unknown),
      });
    const rows = [
      localnet("ln", "ext", "physnet"),
      ...gatewayPort("router1", "ext", "0a:00:00:00:01:01 198.51.100.2/24", HERE),
      ...Array.from({ length: size }, (_, n) => row(n)),
    ];
    expect(
      from({ rows, loadBalancers: [], exposures: { all: exposureOf({ providerPorts: true, floatingIPs: true, loadBalancers: true, tenantNetworks: "host" }) } })
        .state.routes,
    ).toHaveLength(size + 1);
    return count;
  };
  // Twice as many, with one more step of sorting for each.
  expect(reads(1_000)).toBeLessThan(2.5 * reads(500));
});
