import { exportLines, quote } from "../kit/shell";
import type { Host, Layout, Workload } from "./layout";

/** The daemons of a host, in the order in which they start. */
export const hostDaemons = ["ovsdb-server", "ovnnb_db", "ovnsb_db", "ovs-vswitchd", "ovn-northd", "ovn-controller"] as const;
export type HostDaemon = (typeof hostDaemons)[number];

const zoneDaemons: readonly HostDaemon[] = ["ovnnb_db", "ovnsb_db", "ovn-northd"];

const switchDaemons: readonly HostDaemon[] = ["ovsdb-server", "ovs-vswitchd"];

/** Daemons of one host: a zone's databases and northd run on its first host only, and nowhere without OVN. */
export const daemonsOf = ({ name, zone }: Host, { ovn }: Pick<Layout, "ovn">): HostDaemon[] =>
  hostDaemons.filter((daemon) => (ovn ? name === zone || !zoneDaemons.includes(daemon) : switchDaemons.includes(daemon)));

/** The command that starts a daemon of the host whose folder is `folder`. It returns when the daemon is ready. */
export const daemonCommand = (daemon: HostDaemon, folder: string): string => {
  const at = (file: string): string => quote(`${folder}/${file}`);
  const common = `--detach --no-chdir --pidfile=${at(`${daemon}.pid`)} --log-file=${at(`${daemon}.log`)} -vconsole:off`;
  const database = (socket: string, file: string): string => `ovsdb-server ${common} --unixctl=${at(`${daemon}.ctl`)} --remote=punix:${at(socket)} ${at(file)}`;
  switch (daemon) {
    case "ovsdb-server":
      return database("db.sock", "conf.db");
    case "ovnnb_db":
      return database("ovnnb_db.sock", "ovnnb_db.db");
    case "ovnsb_db":
      return database("ovnsb_db.sock", "ovnsb_db.db");
    // Without the kernel's datapath nothing outside the namespaces changes, and no kernel module is needed.
    case "ovs-vswitchd":
      return `ovs-vswitchd ${common} --disable-system unix:${at("db.sock")}`;
    case "ovn-northd":
      return `ovn-northd ${common} --ovnnb-db=unix:${at("ovnnb_db.sock")} --ovnsb-db=unix:${at("ovnsb_db.sock")}`;
    case "ovn-controller":
      return `ovn-controller ${common} unix:${at("db.sock")}`;
  }
};

/**
 * Environment in which the programs of OVN and Open vSwitch find a host's databases and daemons.
 * @param zone the folder of the host that has the zone's databases
 */
export const hostEnvironment = (folder: string, zone = folder): Record<string, string> => ({
  OVN_NB_DB: `unix:${zone}/ovnnb_db.sock`,
  OVN_SB_DB: `unix:${zone}/ovnsb_db.sock`,
  OVS_RUNDIR: folder,
  OVN_RUNDIR: folder,
  OVS_LOGDIR: folder,
  OVN_LOGDIR: folder,
  OVS_DBDIR: folder,
  OVN_DBDIR: folder,
  OVS_SYSCONFDIR: folder,
});

/** Open vSwitch's configuration, in one transaction: bridges, tunnels, OVN's settings, the workloads' ports. */
const configuration = (host: Host, zone: string, workloads: readonly Workload[], { ovn, fabric }: Layout): string =>
  [
    "set Open_vSwitch .",
    `external_ids:system-id=${host.name}`,
    `external_ids:hostname=${host.name}`,
    ...(ovn ? ovnSettings(host, zone) : []),
    "other_config:n-handler-threads=1",
    "other_config:n-revalidator-threads=1",
    ...(ovn ? ["-- add-br br-int -- set Bridge br-int datapath_type=netdev fail_mode=secure other_config:disable-in-band=true"] : []),
    // The tunnels' address must be on a bridge of the userspace datapath: on the veth itself every packet is lost.
    "-- add-br br-phy -- set Bridge br-phy datapath_type=netdev -- add-port br-phy phy0",
    `-- add-br br-ex -- set Bridge br-ex datapath_type=netdev${fabric ? "" : " -- add-port br-ex ex0"}`,
    ...workloads.map((workload) => portCommands(workload, ovn)),
  ].join(" ");

const ovnSettings = (host: Host, zone: string): string[] => [
  `external_ids:ovn-remote=unix:${quote(zone)}/ovnsb_db.sock`,
  "external_ids:ovn-encap-type=geneve",
  `external_ids:ovn-encap-ip=${host.encap}`,
  "external_ids:ovn-bridge-mappings=physnet:br-ex",
  "external_ids:ovn-bridge-datapath-type=netdev",
  // Without it ovn-controller makes no tunnels to the chassis of other zones.
  "external_ids:ovn-is-interconn=true",
];

/** Commands of ovs-vsctl that attach a workload to its bridge; none for one that is in no bridge. */
export const portCommands = ({ name, ifaceId, mac, bridge }: Workload, ovn = true): string => {
  if (!ovn)
    return bridge === undefined ? "" : `-- --may-exist add-br ${bridge} -- set Bridge ${bridge} datapath_type=netdev -- --may-exist add-port ${bridge} ${name}`;
  return `-- --may-exist add-port br-int ${name} -- set Interface ${name} external_ids:iface-id=${ifaceId ?? name}${mac === undefined ? "" : ` external_ids:attached-mac='"${mac}"'`}`;
};

/**
 * Sets up one host; runs in its namespaces, after the cables are there. `pid` gives a shell word with a namespace's process id.
 * @param zone the folder of the host that has the zone's databases
 */
export const hostScript = (host: Host, plan: Layout, folder: string, zone = folder): string => {
  const workloads = plan.workloads.filter((workload) => workload.host === host.name);
  const daemons = daemonsOf(host, plan);
  // In a fabric the kernel routes between br-ex, which has no other way out, and the leaves.
  const uplinks = plan.fabric ? ["phy0"] : ["phy0", "ex0"];
  const start = (daemon: HostDaemon): string => (daemons.includes(daemon) ? `sh ${quote(`${folder}/start-${daemon}`)}` : "");
  return `set -e
${exportLines(hostEnvironment(folder, zone))}
cd ${quote(folder)}
echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
# Only Open vSwitch may answer packets on these ports. The kernel sees them too, and would answer for the addresses of the bridges.
for port in ${uplinks.join(" ")}; do
  echo 1 > /proc/sys/net/ipv4/conf/$port/rp_filter
  echo 1 > /proc/sys/net/ipv4/conf/$port/arp_ignore
  echo 1 > /proc/sys/net/ipv6/conf/$port/disable_ipv6
done
cp ${plan.ovn ? "../conf.db ../ovnnb_db.db ../ovnsb_db.db" : "../conf.db"} .
${start("ovsdb-server")}
${start("ovnnb_db")}
${start("ovnsb_db")}
ip -batch - <<END
link set lo up
${uplinks.map((port) => `link set ${port} up`).join("\n")}
${workloads.map(({ name }) => `link add name ${name} type veth peer name eth0 netns $(cat ../${name}/pid)\nlink set dev ${name} addrgenmode none up\n`).join("")}END
ovs-vsctl --no-wait ${configuration(host, zone, workloads, plan)}
${start("ovs-vswitchd")}
${start("ovn-northd")}
ip -batch - <<END
address add ${host.encap}/24 dev br-phy
link set br-phy mtu 9000 up
${plan.fabric ? "" : host.external.map((address) => `address add ${address} dev br-ex`).join("\n")}
link set br-ex up
END
# The userspace datapath takes a packet before its checksum is filled in; ping works then and TCP does not.
ethtool -K br-ex tx off > /dev/null
${!plan.ovn ? "" : host.zone === host.name ? zoneCommands(host, plan) : `timeout 30 sh -c 'until [ -e "$0" ]; do sleep 0.01; done' ${quote(`${zone}/zone-ready`)}`}
${start("ovn-controller")}
${workloads.map((workload) => `(${workloadCommands(workload, `$(cat ../${workload.name}/pid)`)})`).join("\n")}
`;
};

/** Names the zone and waits for its northd: ovn-controller crashes on an empty database. Then starts the zone's other hosts. */
const zoneCommands = ({ name }: Host, plan: Layout): string => {
  const isOnlyHost = !plan.hosts.some((host) => host.zone === name && host.name !== name);
  return `ovn-nbctl --timeout=30 --wait=sb set NB_Global . name=${name} options:name=${name}${isOnlyHost ? "" : "\n: > zone-ready"}`;
};

/** Configures a workload's interface. */
export const workloadCommands = ({ mac, addresses = [], gateways = [] }: Workload, pid: string): string => {
  const inside = (command: string): string => `nsenter --target ${pid} --net ${command}`;
  const sixth = gateways.some((gateway) => gateway.includes(":"));
  return [
    // A static default route and one learned from router advertisements would share the traffic.
    ...(sixth ? [inside("sh -c 'echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_ra'")] : []),
    `${inside("ip -batch -")} <<END
link set lo up
link set eth0${mac === undefined ? "" : ` address ${mac}`} up
${addresses.map((address) => `address add ${address} dev eth0${address.includes(":") ? " nodad" : ""}\n`).join("")}${gateways.map((gateway) => `route add default via ${gateway}\n`).join("")}END`,
    inside("ethtool -K eth0 tx off > /dev/null"),
  ].join("\n");
};
