import { pulumiOvn, type Sandbox } from "@pulumi-ovn/sandbox";

/** A router with its gateway on node1, a provider network with vm1, and a tenant network with vm2 and vm3. */
const NETWORK = `ovn-nbctl \
  -- ls-add provider -- lsp-add provider outside -- lsp-set-type outside localnet -- lsp-set-options outside network_name=physnet -- lsp-set-addresses outside unknown \
  -- lsp-add provider vm1 -- lsp-set-addresses vm1 "0a:58:c6:33:64:05 198.51.100.5 2001:db8:5::5" \
  -- lr-add router -- lr-route-add router 0.0.0.0/0 198.51.100.1 \
  -- lrp-add router up 0a:58:c6:33:64:02 198.51.100.2/24 2001:db8:5::2/64 -- lrp-set-gateway-chassis up node1 \
  -- lsp-add provider to-up -- lsp-set-type to-up router -- lsp-set-options to-up router-port=up nat-addresses=router -- lsp-set-addresses to-up router \
  -- ls-add tenant -- lrp-add router down 0a:58:0a:01:00:01 10.1.0.1/24 \
  -- lsp-add tenant to-down -- lsp-set-type to-down router -- lsp-set-options to-down router-port=down -- lsp-set-addresses to-down router \
  -- lsp-add tenant vm2 -- lsp-set-addresses vm2 "0a:58:0a:01:00:06 10.1.0.6" \
  -- lsp-add tenant vm3 -- lsp-set-addresses vm3 "0a:58:0a:01:00:07 10.1.0.7"
ovn-nbctl --timeout=30 --wait=hv sync`;

/** An agent runs on until the sandbox ends, as a unit of systemd would have it. */
const AGENT = `log=$OVS_RUNDIR/agent.log
setsid "$@" agent --openvswitch "unix:$OVS_RUNDIR/db.sock" > "$log" 2>&1 < /dev/null &
timeout 60 sh -c 'until grep -q ^started "$0"; do sleep 0.1; done' "$log" || { cat "$log" >&2; exit 1; }`;

/** Prepares what other operators provide: OVN's networks, and an agent on each host. */
export async function prepareOthers(sandbox: Sandbox): Promise<void> {
  await run(sandbox, "node1", NETWORK);
  await Promise.all(sandbox.hosts.map(({ name }) => run(sandbox, name, AGENT, pulumiOvn)));
}

async function run(sandbox: Sandbox, place: string, script: string, words: readonly string[] = []): Promise<void> {
  const { code, stderr } = await sandbox.exec(place, ["sh", "-ec", script, "sh", ...words], { timeout: 90_000 });
  if (code !== 0) throw new Error(`preparing ${place}: ${stderr}`);
}
