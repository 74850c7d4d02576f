import { flowCookie } from "@pulumi-ovn/provider/tools";

const urn = (kind: string, host: string) => `urn:pulumi:dev::net::ovn:network:Vpc$pulumi-nodejs:dynamic/ovn:${kind}::blue-${host}`;

/** Cookie of a host's flows in the sample's state. */
export const cookieOf = (kind: "VpcBridges" | "LogicalRouterBridge", host: string): string => flowCookie(urn(kind, host));

/** Datapath actions into a GRE tunnel. */
export const tunnelTo = (remote: string, key: number): string =>
  `tnl_push(tnl_port(gre_sys),header(size=42,type=3,eth(dst=12:b1:4e:8f:24:4c,src=3a:80:41:a8:76:45,dl_type=0x0800),ipv4(src=192.0.2.1,dst=${remote},proto=47,tos=0,ttl=64,frag=0x4000),gre((flags=0x2000,proto=0x6558),key=0x${key.toString(16)})),out_port(br-phy)),phy0`;

interface Met {
  readonly table: number;
  readonly match?: string;
  readonly priority: number;
  readonly cookie?: string;
}

/** Output of `ofproto/trace` of Open vSwitch 3.5, without unused parts. */
export function printed(parts: readonly { readonly bridges: readonly (readonly [string, readonly Met[]])[]; readonly actions: string }[]): string {
  return parts
    .map(({ bridges, actions }, index) => [
      ...(index === 0 ? [] : ["=".repeat(79), "recirc(0x3) - resume conntrack with default ct_state=trk|new (use --ct-next to customize)", "=".repeat(79), ""]),
      "Flow: tcp,in_port=tap1,vlan_tci=0x0000",
      "",
      ...bridges.flatMap(([bridge, steps]) => [
        `bridge("${bridge}")`,
        "-".repeat(bridge.length + 10),
        ...(index === 0 ? [] : ["    thaw", "        Resuming from table 3"]),
        ...steps.flatMap(({ table, match, priority, cookie }) => [
          `${String(table).padStart(2)}. ${match === undefined ? "" : `${match}, `}priority ${priority}${cookie === undefined ? "" : `, cookie ${cookie}`}`,
          "    resubmit(,2)",
          "     -> forwarding to learned port",
        ]),
        "",
      ]),
      "Final flow: unchanged",
      "Megaflow: recirc_id=0,eth,ip,in_port=tap1",
      `Datapath actions: ${actions}`,
      "",
    ])
    .flat()
    .join("\n");
}
