import { count, rest } from "../rest";
import type { Shown, Table } from "../section";
import { type Drops, isProblem, type TunnelFacts, type VpcFacts } from "./facts";

/** More tunnels are shown only where they are in error: two hundred hosts have twenty thousand in each tier. */
const MOST_TUNNELS = 40;

/** Pure. A VPC as people read it. */
export function vpcTables(facts: VpcFacts, { all }: Shown): Table[] {
  return [hostTable(facts), bridgeTable(facts, all), tunnelTable(facts, all), ...dropTables(facts, all), ...agentTables(facts)];
}

function hostTable({ name, virtualRouter, tiers, hosts, routers, tunnels }: VpcFacts): Table {
  return {
    title: `VPC ${name}: ${count(hosts.length, "host")}, ${count(tiers.length, "tier")}`,
    columns: ["HOST", "REACHED", "TUNNELS", "LOGICAL ROUTER", "DETAIL"],
    rows: hosts.map(({ host, reached, detail }) => {
      const router = routers.find((each) => each.host === host);
      const own = tunnels.filter(({ ends }) => ends.some((end) => end.host === host));
      const up = own.filter(({ state }) => state === "up").length;
      const state = router?.state ?? (host === virtualRouter ? "virtual router" : "none");
      return {
        cells: [host, reached ? "yes" : "no", `${up} of ${own.length} up`, state, detail ?? router?.detail ?? ""],
        error: !reached || (router !== undefined && isProblem(router)),
      };
    }),
  };
}

function bridgeTable({ name, bridges }: VpcFacts, all: boolean): Table {
  const shown = all ? bridges : bridges.filter(isProblem);
  return {
    title: `VPC ${name}: bridges`,
    columns: ["HOST", "TIER", "BRIDGE", "STATE", "DETAIL"],
    rows: shown.map((bridge) => ({ cells: [bridge.host, bridge.tier, bridge.bridge, bridge.state, bridge.detail ?? ""], error: isProblem(bridge) })),
    ...rest(bridges, shown, "bridge", "up"),
  };
}

function tunnelTable({ name, tunnels }: VpcFacts, all: boolean): Table {
  const shown = all || tunnels.length <= MOST_TUNNELS ? tunnels : tunnels.filter(isProblem);
  return {
    title: `VPC ${name}: tunnels`,
    columns: ["HOSTS", "TIER", "STATE", "DETAIL"],
    rows: shown.map((tunnel) => ({
      cells: [tunnel.ends.map(({ host }) => host).join(" - "), tunnel.tier, tunnel.state, endsText(tunnel)],
      error: isProblem(tunnel),
    })),
    ...rest(tunnels, shown, "tunnel", "up"),
  };
}

function endsText({ ends }: TunnelFacts): string {
  return ends.flatMap((end) => (end.state === "up" ? [] : [`${end.interface} on ${end.host}: ${end.detail ?? end.state}`])).join("; ");
}

function agentTables({ name, agents }: VpcFacts): Table[] {
  if (agents.length === 0) return [];
  return [
    {
      title: `VPC ${name}: agents`,
      columns: ["HOST", "STATE", "RESTORED", "LAST", "DETAIL"],
      rows: agents.map((agent) => ({
        cells: [agent.host, agent.state, String(agent.restored ?? "-"), agent.lastChange ?? "-", agent.detail ?? ""],
        error: isProblem(agent),
      })),
    },
  ];
}

/** Mostly nothing is dropped, and the table not there. */
function dropTables({ name, drops }: VpcFacts, all: boolean): Table[] {
  const counts = ({ portSecurity, egressAcl, ingressAcl }: Drops) => [portSecurity, egressAcl, ingressAcl];
  const shown = all ? drops : drops.filter((each) => counts(each).some((packets) => packets !== undefined && packets > 0));
  if (shown.length === 0) return [];
  return [
    {
      title: `VPC ${name}: dropped packets`,
      columns: ["HOST", "TIER", "PORT SECURITY", "EGRESS ACL", "INGRESS ACL"],
      rows: shown.map((each) => ({ cells: [each.host, each.tier, ...counts(each).map((packets) => String(packets ?? "-"))], error: false })),
    },
  ];
}
