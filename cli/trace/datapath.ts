/** A packet that leaves a host's switch: its destination and its headers. */
export interface Emission {
  /** A port by its name, or the far end of a tunnel and its key. */
  readonly to: { readonly port: string } | { readonly remote: string; readonly key: number };
  readonly headers: Headers;
}

/** Headers of a packet that a switch may change. */
export interface Headers {
  readonly source: string;
  readonly destination: string;
  readonly ttl: number;
}

/** Actions without parentheses, except ports. */
const WORDS: ReadonlySet<string> = new Set(["drop", "ct_clear", "pop_vlan", "pop_eth"]);

/** A device of the datapath that all tunnels of a type share (ovs-vswitchd's names). */
const TUNNEL_DEVICE = /^(?:gre|genev|vxlan)_sys/;

/**
 * Destinations to which datapath actions send a packet. These are the "Datapath actions" that `ovs-appctl ofproto/trace` prints, in the
 * syntax of `odp-util`; ovs-actions(7) describes the OpenFlow actions instead. They contain all headers, flooding and tunnels, for any
 * flows. In `check_pkt_len(size=1414,gt(...),le(...))` the actions in `le` apply, because a traced packet has no payload. `sample`
 * contains only actions for a collector.
 *
 * @param headers headers of the packet before the actions
 * @returns also the headers after the actions, for actions that continue after conntrack
 */
export function emissions(text: string, headers: Headers): { readonly sent: readonly Emission[]; readonly headers: Headers } {
  const sent: Emission[] = [];
  let now = headers;
  let tunnel: { readonly remote: string; readonly key: number } | undefined;
  for (const { name, inside } of actionsIn(text)) {
    if (inside === undefined) {
      if (TUNNEL_DEVICE.test(name)) {
        if (tunnel !== undefined) sent.push({ to: tunnel, headers: now });
      } else if (!WORDS.has(name)) sent.push({ to: { port: name }, headers: now });
    } else if (name === "clone") sent.push(...emissions(inside, now).sent);
    else if (name === "check_pkt_len") {
      const small = emissions(insideOf(actionsIn(inside), "le"), now);
      sent.push(...small.sent);
      now = small.headers;
    } else if (name === "set") {
      now = rewritten(inside, now);
      tunnel = tunnelIn(inside) ?? tunnel;
    } else if (name === "tnl_push") {
      const to = pushed(inside);
      if (to !== undefined) sent.push({ to, headers: now });
      // The following actions concern the packet in its tunnel.
      break;
    }
  }
  return { sent, headers: now };
}

interface Action {
  readonly name: string;
  /** Text in the parentheses. Undefined for an action without parentheses, such as a port. */
  readonly inside: string | undefined;
}

/** Split at the commas outside of parentheses. */
function actionsIn(text: string): Action[] {
  const actions: Action[] = [];
  let [depth, from] = [0, 0];
  for (let at = 0; at <= text.length; at++) {
    const letter = text[at];
    if (letter === "(") depth++;
    else if (letter === ")") depth--;
    else if ((letter === "," && depth === 0) || letter === undefined) {
      const word = text.slice(from, at).trim();
      const open = word.indexOf("(");
      if (word !== "") actions.push(open < 0 ? { name: unquoted(word), inside: undefined } : { name: word.slice(0, open), inside: word.slice(open + 1, -1) });
      from = at + 1;
    }
  }
  return actions;
}

/** Names that could be read as numbers or words are quoted. */
const unquoted = (word: string): string => word.replace(/^"(.*)"$/, "$1");

function insideOf(actions: readonly Action[], wanted: string): string {
  return actions.find(({ name }) => name === wanted)?.inside ?? "";
}

function rewritten(inside: string, headers: Headers): Headers {
  const [field] = actionsIn(inside);
  const value = (name: string) => new RegExp(`(?:^|,)${name}=([^,/]+)`).exec(field?.inside ?? "")?.[1];
  if (field?.name === "eth") return { ...headers, source: value("src") ?? headers.source, destination: value("dst") ?? headers.destination };
  if (field?.name === "ipv4") return { ...headers, ttl: Number(value("ttl") ?? headers.ttl) };
  if (field?.name === "ipv6") return { ...headers, ttl: Number(value("hlimit") ?? headers.ttl) };
  return headers;
}

/** `set(tunnel(tun_id=0x3e9,src=192.0.2.1,dst=192.0.2.2,...))`, as the kernel's datapath has it. */
function tunnelIn(inside: string): { remote: string; key: number } | undefined {
  const [field] = actionsIn(inside);
  if (field?.name !== "tunnel") return undefined;
  const remote = /(?:^|,)(?:ipv6_)?dst=([^,]+)/.exec(field.inside ?? "")?.[1];
  const key = /(?:^|,)tun_id=(0x[0-9a-f]+|\d+)/.exec(field.inside ?? "")?.[1];
  return remote === undefined || key === undefined ? undefined : { remote, key: Number(key) };
}

/** `header(...,ipv4(src=192.0.2.1,dst=192.0.2.2,...),gre((flags=0x2000,proto=0x6558),key=0x3e9))`, as the userspace datapath has it. */
function pushed(inside: string): { remote: string; key: number } | undefined {
  const header = insideOf(actionsIn(inside), "header");
  const outer = actionsIn(header);
  const remote = /(?:^|,)dst=([^,]+)/.exec(outer.find(({ name }) => name === "ipv4" || name === "ipv6")?.inside ?? "")?.[1];
  const key = /(?:key|vni)=(0x[0-9a-f]+|\d+)/.exec(header)?.[1];
  return remote === undefined || key === undefined ? undefined : { remote, key: Number(key) };
}
