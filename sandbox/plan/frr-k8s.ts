import { quote } from "../kit/shell";
import type { FrrK8s } from "../tools/kubernetes-tools";
import { addressOf, type HostAddresses } from "./addresses";

/** frr-k8s' own namespace. */
export const FRR_K8S_NAMESPACE = "frr-k8s-system";

/** Daemons of a host's frr-k8s, by the names of scripts, pid files and logs. */
export const frrK8sDaemons = ["frr-k8s-reloader", "frr-k8s-controller", "frr-k8s-status"] as const;
export type FrrK8sDaemon = (typeof frrK8sDaemons)[number];

/** Files and programs of a host's frr-k8s. */
export interface FrrK8sSite {
  /** The host's folder. */
  readonly folder: string;
  readonly node: string;
  readonly kubeconfig: string;
  /** FRR's frr-reload.py. */
  readonly reload: string;
  /** Seconds after which a load that has not ended counts as failed. Default 45. */
  readonly patience?: number;
  readonly programs: FrrK8s;
}

/** The scripts of a host's frr-k8s. The reloader runs in the host's namespaces; the others reach the API server, so they are in the network outside. */
export const frrK8sScripts = (site: FrrK8sSite): Record<FrrK8sDaemon, string> => ({
  "frr-k8s-reloader": reloaderScript(site),
  "frr-k8s-controller": agentScript("frr-k8s-controller", site, [
    site.programs.controller,
    "--node-name",
    site.node,
    "--namespace",
    FRR_K8S_NAMESPACE,
    "--metrics-bind-address",
    "0",
    "--health-probe-bind-address",
    "0",
  ]),
  "frr-k8s-status": agentScript("frr-k8s-status", site, [
    site.programs.status,
    "--node-name",
    site.node,
    "--namespace",
    FRR_K8S_NAMESPACE,
    "--pod-name",
    podName(site.node),
    "--poll-interval",
    "1s",
  ]),
});

/**
 * Loads the controller's configuration at each SIGHUP, and writes the result where the controller reads it. After a failed or hung load, the
 * controller requests another one at its next check.
 */
const reloaderScript = ({ folder, reload, patience = 45 }: FrrK8sSite): string => `cd ${quote(folder)}
bounded() { timeout -k 5 ${patience} "$@"; }
load() {
  flock 9
  if bounded python3 ${quote(reload)} --reload --overwrite --stdout --bindir bin --vty_socket /run/frr --confdir . --rundir . frr-k8s/frr.conf > reload.log 2>&1; then
    result=success; : > frr-k8s/last-error
  else
    code=$?
    [ $code -lt 124 ] || echo "it did not end within ${patience} s" >> reload.log
    result=failure; cp reload.log frr-k8s/last-error
  fi
  # The controller may look at any time, and must not take a part for the whole.
  if bounded bin/vtysh -c 'show running-config' > running-config.new 2>> reload.log; then
    mv running-config.new frr-k8s/running-config
  else
    result=failure; cp reload.log frr-k8s/last-error
  fi
  # The controller looks whether the first word has changed.
  echo "$(date +%s%N) $result" > status.new && mv status.new frr-k8s/.status
}
# Before the trap, whose loads would be taken for it.
sleep infinity & idle=$!
# One load at a time: a second signal must not disturb a load in progress.
trap 'load 9> reload.lock &' HUP
# Without an end of line: the controller takes the whole file for a number.
printf %s $$ > frr-k8s-reloader.pid
while kill -0 $idle; do wait $idle; done
`;

/**
 * Runs a program of frr-k8s, which expects its files in /etc/frr_reloader and vtysh in /usr/bin. Neither need exist here, so it gets
 * both folders as folders of links, in a mount namespace of its own.
 */
const agentScript = (
  name: FrrK8sDaemon,
  { folder, kubeconfig }: FrrK8sSite,
  program: readonly string[],
): string => `export FRR_CONFIG_FILE=/etc/frr_reloader/frr.conf FRR_RELOADER_PID_FILE=${quote(`${folder}/frr-k8s-reloader.pid`)} FRR_K8S_BGP_DEBOUNCE_TIMEOUT=200
exec unshare --mount sh -ec '
mount -t tmpfs -o mode=755 none /mnt
cd /mnt
mkdir etc bin real-etc real-bin
mount --rbind /etc real-etc
mount --rbind /usr/bin real-bin
ln -s /mnt/real-etc/* etc/
ln -s /mnt/real-bin/* bin/
rm -f bin/vtysh
ln -s "$1/bin/vtysh" bin/vtysh
mkdir etc/frr_reloader
mount --bind "$1/frr-k8s" etc/frr_reloader
mount --rbind etc /etc
mount --rbind bin /usr/bin
cd "$1"
echo $$ > "$2.pid"
export KUBECONFIG="$3"
shift 3
exec "$@"
' sh ${[folder, name, kubeconfig, ...program].map(quote).join(" ")}`;

const podName = (node: string): string => `frr-k8s-${node}`;

/** The objects that a host is in the cluster: its node, and the pod of its frr-k8s, to which the states of sessions belong. */
export const hostObjects = ({ name, external }: HostAddresses): { readonly node: object; readonly status: object; readonly pod: object } => ({
  node: { apiVersion: "v1", kind: "Node", metadata: { name, labels: { "kubernetes.io/hostname": name } } },
  status: { status: { addresses: external.map((cidr) => ({ type: "InternalIP", address: addressOf(cidr) })) } },
  pod: {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name: podName(name), namespace: FRR_K8S_NAMESPACE },
    spec: { nodeName: name, containers: [{ name: "controller", image: "frr-k8s" }] },
  },
});
