import type { TestCluster } from "./kubernetes";
import type { Switches } from "./switches";

const FLOWS =
  "for bridge in $(ovs-vsctl list-br | sort); do echo $bridge $(ovs-vsctl list-ports $bridge | sort); ovs-ofctl -O OpenFlow14 --names --no-stats dump-flows $bridge | sort; ovs-ofctl -O OpenFlow14 get-frags $bridge; done";
/** Columns without statistics and numbers of ports. */
const COLUMNS = {
  Bridge: "datapath_type,fail_mode,other_config,ports,protocols",
  Port: "interfaces,other_config,protected,tag",
  Interface: "bfd,options,type",
};
const ROWS = `${Object.entries(COLUMNS)
  .map(([table, columns]) => `ovs-vsctl --columns=_uuid,name,external_ids,${columns} list ${table} | sort`)
  .join("; ")}; ovs-vsctl list QoS | sort`;

/** Bridges, ports, flows and fragment modes of a host, and its rows with their UUIDs. */
export async function hostImage(switches: Switches, host: string): Promise<{ readonly flows: string; readonly rows: string }> {
  return { flows: await switches.on(host, "sh", "-c", FLOWS), rows: await switches.on(host, "sh", "-c", ROWS) };
}

/** Names and data of the config maps of a namespace that a stack owns. */
export async function objectsImage(cluster: TestCluster, namespace: string): Promise<readonly { readonly name: string; readonly data: object }[]> {
  const { items } = (await cluster.must("GET", `/api/v1/namespaces/${namespace}/configmaps?labelSelector=pulumi-ovn/owner`)) as {
    items: { metadata: { name: string }; data: object }[];
  };
  return items.map(({ metadata: { name }, data }) => ({ name, data }));
}

/** No record of an apply is on these hosts and in the cluster. */
export async function expectNoRecords(switches: Switches, hosts: readonly string[], cluster: TestCluster): Promise<void> {
  for (const host of hosts) expect(await switches.on(host, "ovs-vsctl", "get", "Open_vSwitch", ".", "external_ids")).not.toContain("pulumi-ovn:");
  expect((await cluster.ask("GET", "/api/v1/namespaces/kube-system/secrets/pulumi-ovn-apply")).status).toBe(404);
}
