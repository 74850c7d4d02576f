import { createRequire } from "node:module";
import { join } from "node:path";
import type { Python } from "@pulumi-ovn/sandbox";

/** An agent that is measured. */
export interface Contender {
  readonly name: "ours" | "reference";
  /** Shell script that prepares a host; runs in its namespaces, in the host's folder. */
  readonly prepare: string;
  /** Command that runs the agent, as shell words; runs in the host's folder. */
  readonly command: string;
  /** Command that removes everything of the agent's from a host. Undefined if it has none. */
  readonly withdraw?: string;
}

export const AS_NUMBER = 64513;
const HOSTS = ["node1", "node2"];

/** The exposure that our agent reads in the Southbound database: the same selection as the reference's options. */
export const EXPOSURE = {
  version: 1,
  chassis: HOSTS,
  asNumber: AS_NUMBER,
  table: 1200,
  routerIds: {},
  gateways: ["2001:db8:5::1"],
  floatingIPs: true,
  loadBalancers: true,
  providerPorts: true,
  tenantNetworks: "host",
  tenantAddresses: "all",
};

const program = join(createRequire(__filename).resolve("@pulumi-ovn/agent/package.json"), "../bin/pulumi-ovn-agent.js");
const ourCommand = `'${process.execPath}' '${program}' --openvswitch "unix:$PWD/db.sock"`;

export const ours: Contender = { name: "ours", prepare: "", command: ourCommand, withdraw: `${ourCommand} --withdraw` };

/** Runs `privsep-helper` of oslo.privsep, which the agent starts with the capabilities of each kind of work. */
const HELPER = "from oslo_privsep.daemon import helper_main; helper_main()";

/**
 * The reference: ovn-bgp-agent with its Southbound driver. It calls /usr/bin/vtysh and writes to /etc/iproute2/rt_tables; the host has copies
 * of both folders on top of the machine's.
 */
export const reference = ({ program: python, env }: Python): Contender => ({
  name: "reference",
  prepare: `mkdir -p peer && cd peer
for folder in etc usr/bin; do
  mkdir -p "above/$folder" "scratch/$folder"
  mount -t overlay overlay -o "lowerdir=/$folder,upperdir=$PWD/above/$folder,workdir=$PWD/scratch/$folder" "/$folder"
done
cp ../bin/vtysh /usr/bin/vtysh
mkdir -p /etc/iproute2 && touch /etc/iproute2/rt_tables
echo '${HELPER}' > helper.py
cat > agent.conf <<END
[DEFAULT]
driver = ovn_bgp_driver
ovsdb_connection = unix:$OVS_RUNDIR/db.sock
bgp_AS = ${AS_NUMBER}
bgp_router_id = $(vtysh -d bgpd -c 'show running-config' | sed -n 's/^ *bgp router-id //p')
expose_tenant_networks = true
[oslo_concurrency]
lock_path = $PWD
$(for section in privsep privsep_ovs_vsctl privsep_vtysh; do printf '[%s]\\nhelper_command = ${python} %s\\n' $section "$PWD/helper.py"; done)
END`,
  command: `env PYTHONHOME='${env.PYTHONHOME}' PYTHONPATH='${env.PYTHONPATH}' PYTHONWARNINGS=ignore LD_LIBRARY_PATH="$LD_LIBRARY_PATH:${env.LD_LIBRARY_PATH}" '${python}' -m ovn_bgp_agent.cmd.agent --config-file peer/agent.conf`,
});
