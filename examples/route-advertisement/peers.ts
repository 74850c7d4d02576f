import { type Host, upstream } from "./hosts";

/** Labels of the templates, by which the announcement finds them. */
export const LABELS = { "use-for-advertisements": "fabric" };

/** Where the password of the sessions is. It is made once in the cluster, not here: it never enters the stack's state. */
const PASSWORD = { name: "fabric", namespace: "frr-k8s-system" };

/** Prefixes that the hosts take from the fabric. */
const RECEIVED = ["198.51.100.0/24"];

/**
 * The BGP sessions of one host, as an FRRConfiguration. What it announces the announcement says; to whom, and where the fabric
 * is to send packets, is said here.
 */
export function peersOf(node: string, { gateway }: Host) {
  const [upstream4, upstream6] = upstream.addresses;
  const session = { asn: upstream.asn, passwordSecret: PASSWORD, holdTime: "9s", keepaliveTime: "3s", connectTime: "1s" };
  const toReceive = { allowed: { mode: "filtered", prefixes: RECEIVED.map((prefix) => ({ prefix })) } };
  return {
    apiVersion: "frrk8s.metallb.io/v1beta1",
    kind: "FRRConfiguration",
    metadata: { name: `fabric-${node}`, namespace: "frr-k8s-system", labels: LABELS },
    spec: {
      nodeSelector: { matchLabels: { "kubernetes.io/hostname": node } },
      bgp: {
        routers: [
          {
            asn: 64513,
            neighbors: [
              { address: upstream4, ...session, toReceive },
              { address: upstream6, ...session },
            ],
          },
        ],
      },
      // By default the host would be the next hop; the packets are for the gateway router. These are the entries of frr-k8s'
      // own route maps for IPv4 and IPv6, as long as nobody sets a community or a local preference for this neighbour.
      raw: {
        rawConfig: [
          `route-map ${upstream4}-out permit 1`,
          ` set ip next-hop ${gateway.addresses[0]}`,
          "exit",
          `route-map ${upstream6}-out permit 2`,
          ` set ipv6 next-hop global ${gateway.addresses[1]}`,
          ` set ipv6 next-hop local ${gateway.linkLocal}`,
          "exit",
        ].join("\n"),
      },
    },
  };
}
