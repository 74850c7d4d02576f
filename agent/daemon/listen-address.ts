import type { Listen } from "./endpoints";

/** Pure. `127.0.0.1:9475`, `[::1]:9475`; undefined: it is none. */
export function listenAddress(text: string): Listen | undefined {
  const [, sixth, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = sixth ?? name;
  return host === undefined || Number(port) > 65_535 ? undefined : { host, port: Number(port) };
}
