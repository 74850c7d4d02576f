import type { Sandbox } from "@pulumi-ovn/sandbox";

const PASSWORD = "only-for-the-sandbox";

/** An address of the range that the fabric announces. */
export const ANNOUNCED = { range: "198.51.100.0/24", address: "198.51.100.1" };

/** Prepares what other operators provide: the fabric's session password and an announced range, and the cluster's Secret. */
export async function prepareFabric(sandbox: Sandbox): Promise<void> {
  const neighbors = sandbox.hosts.flatMap(({ external }) => external.map((address) => address.split("/")[0]!));
  await run(sandbox, ["ip", "address", "add", `${ANNOUNCED.address}/32`, "dev", "lo"]);
  await run(sandbox, ["ip", "route", "add", "blackhole", ANNOUNCED.range]); // bgpd announces what the kernel has
  const commands = ["configure terminal", "router bgp 64512", ...neighbors.map((address) => `neighbor ${address} password ${PASSWORD}`), "address-family ipv4 unicast", `network ${ANNOUNCED.range}`];
  await run(sandbox, ["vtysh", ...commands.flatMap((command) => ["-c", command])]);
  await sandbox.cluster.must("POST", "/api/v1/namespaces/frr-k8s-system/secrets", {
    apiVersion: "v1", kind: "Secret", type: "kubernetes.io/basic-auth", metadata: { name: "fabric" }, stringData: { password: PASSWORD },
  });
}

async function run(sandbox: Sandbox, argv: readonly string[]): Promise<void> {
  const { code, stdout, stderr } = await sandbox.exec("ext", argv, { timeout: 20_000 });
  if (code !== 0) throw new Error(`${argv.join(" ")}: ${stderr || stdout}`);
}
