import { quote, exportLines } from "../kit/shell";
import { externalNetwork } from "./addresses";
import { cableLines, fabricScript, hostFabricBgp, leafBgp, leafNames, leafScript, upstreamFabricBgp } from "./fabric";
import { bgpConfiguration, frrScript } from "./frr";
import { daemonCommand, daemonsOf, hostEnvironment, hostScript } from "./host-script";
import { type Layout, namespacesOf, sitesOf, upstream } from "./layout";

/**
 * A command that makes a namespace's namespaces and holds them until it is killed. `/run` is the namespace's own.
 * @param folder the namespace's folder, as a shell word
 */
export const holder = (folder: string): string =>
  `unshare --net --mount sh -c 'mount -t tmpfs -o mode=755 none /run && : > "$1/made" && exec sleep infinity' sh ${folder}`;

/** The databases of a host, by the names of their files. */
export type Database = "conf" | "ovnnb_db" | "ovnsb_db";

/**
 * The first process of a sandbox. It runs in new network, mount and process namespaces, makes everything else in them, and stays:
 * when it dies, the kernel ends all that it made. It writes `ready` or `failed` when the work is done.
 */
export const initScript = (
  plan: Layout,
  folder: string,
  environment: Readonly<Record<string, string>>,
  schemas: Readonly<Record<Database, string>>,
): string => {
  const namespaces = namespacesOf(plan);
  const sites = sitesOf(plan).join(" ");
  return `cd ${quote(folder)}
${exportLines(environment)}
for namespace in ${namespaces.join(" ")}; do
  ${holder(`${quote(folder)}/"$namespace"`)} > /dev/null 2>> "$namespace/holder.log" < /dev/null &
  echo $! > "$namespace/pid"
done
(
set -e
echo 1 > /proc/sys/net/ipv6/conf/default/disable_ipv6
${Object.entries(schemas)
  .map(([database, schema]) => `ovsdb-tool create ${database}.db ${quote(schema)} &`)
  .join("\n")}
wait
for namespace in ${namespaces.join(" ")}; do while [ ! -e "$namespace/made" ]; do sleep 0.01; done; done
ip -batch - <<END
link set lo up
link add underlay mtu 9000 type bridge mcast_snooping 0
link set underlay up
${plan.hosts
  .map(
    ({ name }, index) => `link add u${index + 1} mtu 9000 type veth peer name phy0 mtu 9000 netns $(cat ${name}/pid)
link set u${index + 1} master underlay up`,
  )
  .join("\n")}
${(plan.fabric ? cableLines(plan.hosts) : externalLines(plan)).join("\n")}
END
for namespace in ${sites}; do
  (nsenter --target "$(cat "$namespace/pid")" --net --mount sh "$PWD/$namespace/setup" && : > "$namespace/ready") &
done
wait
for namespace in ${sites}; do [ -e "$namespace/ready" ]; done
) > up.log 2>&1 < /dev/null
if [ $? = 0 ]; then mv up.log ready; else mv up.log failed; fi
# As the first process it also has to take leave of every orphan that ends.
while :; do wait; sleep 1; done
`;
};

/** The external network, as commands of `ip -batch`: a bridge with the upstream router and every host. */
const externalLines = ({ hosts }: Layout): string[] => [
  "link add external type bridge mcast_snooping 0",
  "link set external up",
  `link add ${upstream} type veth peer name eth0 netns $(cat ${upstream}/pid)`,
  `link set ${upstream} master external up`,
  ...hosts.flatMap(({ name }, index) => [
    `link add x${index + 1} type veth peer name ex0 netns $(cat ${name}/pid)`,
    `link set x${index + 1} master external up`,
  ]),
];

/** Sets up the upstream router; runs in its namespaces. */
const upstreamScript = (plan: Layout, folder: string): string => `set -e
cd ${quote(folder)}
${plan.fabric ? fabricScript(0) : externalScript}ip -batch - <<END
${externalNetwork.outside.map((address) => `address add ${address} dev lo`).join("\n")}
END
${plan.frr ? frrScript(folder) : ""}`;

const externalScript = `for family in ipv4 ipv6; do echo 1 > /proc/sys/net/$family/conf/all/forwarding; done
echo 0 > /proc/sys/net/ipv6/conf/all/accept_dad
echo 0 > /proc/sys/net/ipv6/conf/eth0/accept_dad
ip -batch - <<END
link set lo up
link set eth0 up
${externalNetwork.router.map((address) => `address add ${address} dev eth0`).join("\n")}
END
ethtool -K eth0 tx off > /dev/null
`;

/** The files that the first process finds in the sandbox's folder, by their paths in it. */
export const namespaceFiles = (plan: Layout, folder: string): Map<string, string> => {
  const files = new Map([[`${upstream}/setup`, upstreamScript(plan, `${folder}/${upstream}`)]]);
  if (plan.frr) files.set(`${upstream}/bgpd.conf`, plan.fabric ? upstreamFabricBgp() : bgpConfiguration("upstream", plan.hosts.length));
  for (const leaf of plan.fabric ? leafNames : [])
    files.set(`${leaf}/setup`, leafScript(leaf, plan.hosts, `${folder}/${leaf}`)).set(`${leaf}/bgpd.conf`, leafBgp(leaf, plan.hosts.length));
  for (const [index, host] of plan.hosts.entries()) {
    const [own, zone] = [`${folder}/${host.name}`, `${folder}/${host.zone}`];
    files.set(`${host.name}/setup`, hostScript(host, plan, own, zone) + (plan.fabric ? fabricScript(index + 1) : "") + (plan.frr ? frrScript(own) : ""));
    for (const daemon of daemonsOf(host, plan))
      files.set(
        `${host.name}/start-${daemon}`,
        `${exportLines(hostEnvironment(own, zone))}\nexec ${daemonCommand(daemon, own)} > /dev/null 2>&1 < /dev/null\n`,
      );
    if (plan.frr) files.set(`${host.name}/bgpd.conf`, hostBgp(plan, index));
  }
  return files;
};

const hostBgp = ({ hosts, fabric, kubernetes }: Layout, index: number): string => {
  const host = hosts[index]!;
  if (fabric) return hostFabricBgp(host, index + 1);
  // With frr-k8s the sessions of hosts are what FRRConfigurations say.
  return kubernetes ? "" : bgpConfiguration(host, hosts.length);
};
