import type { Listen } from "./endpoints";

/** Pure. Parses `127.0.0.1:9475` or `[::1]:9475`. Undefined if the text is not an address with a port. */
export function listenAddress(text: string): Listen | undefined {
  const [, sixth, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = sixth ?? name;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}
