import { type Host, upstream } from "./hosts";

/** Labels of the templates, by which the announcement finds them. */
export const LABELS = { "use-for-advertisements": "fabric" };

/** Secret with the password of the sessions. It is created once in the cluster, so it never enters the stack's state. */
const PASSWORD = { name: "fabric", namespace: "frr-k8s-system" };

/** Prefixes that the hosts take from the fabric. */
const RECEIVED = ["198.51.100.0/24"];

/** BGP sessions of one host, as an FRRConfiguration. It defines the peers and the next hop; the announcement defines the prefixes. */
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
      // The host would be the default next hop, but packets are for the gateway router. These are the entries of frr-k8s' own route maps for IPv4
      // and IPv6, unless a community or a local preference is set for this neighbor.
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
