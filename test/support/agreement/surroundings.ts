import type { Sandbox } from "@pulumi-ovn/sandbox";
import { runScript } from "../run-script";

/** Settings outside of a stack, as other programs make them. */
export interface Surroundings {
  /** Runs after the stack is applied. Returns the undo. */
  readonly prepare?: (sandbox: Sandbox) => Promise<() => Promise<unknown>>;
  /** Lets the network outside send packets for workloads to the gateway of a zone. */
  readonly enter?: (sandbox: Sandbox, zone: string) => Promise<unknown>;
}

/** Zone, chassis of another zone, and the tunnel address of this chassis. */
const TUNNELS = [
  ["node1", "node2", "198.18.0.2"],
  ["node2", "node1", "198.18.0.1"],
] as const;

/** Tunnels between node1 and node2, and the network 192.0.2.0/24 outside. */
export const TUNNELLED: Surroundings = {
  async prepare(sandbox) {
    await runScript(sandbox, "ext", "ip address replace 192.0.2.1/24 dev eth0");
    for (const [zone, chassis, address] of TUNNELS)
      await runScript(sandbox, zone, `ovn-sbctl --may-exist chassis-add ${chassis} geneve ${address} -- set Chassis ${chassis} other_config:is-remote=true`);
    return async () => {
      await runScript(sandbox, "ext", "ip address del 192.0.2.1/24 dev eth0");
      for (const [zone, chassis] of TUNNELS) await runScript(sandbox, zone, `ovn-sbctl --if-exists chassis-del ${chassis}`);
    };
  },
};

/** Subnets of the workloads, with the addresses of the gateway router in the zone with this number. */
const ROUTES = [
  ["203.203.0.0/16", (zone: number) => `172.18.0.${10 + zone}`],
  ["2010:100:200::/60", (zone: number) => `fc00:f853:ccd:e793::${(10 + zone).toString(16)}`],
] as const;

/** A fabric that has learned the subnets of the workloads from the zones. */
export const ANNOUNCED: Surroundings = {
  prepare: (sandbox) => Promise.resolve(() => runScript(sandbox, "ext", ROUTES.map(([subnet]) => `ip route del ${subnet}`).join("\n"))),
  enter: (sandbox, zone) =>
    runScript(sandbox, "ext", ROUTES.map(([subnet, gateway]) => `ip route replace ${subnet} via ${gateway(Number(zone.slice(4)))}`).join("\n")),
};
