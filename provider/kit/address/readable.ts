import { parseIp } from "./ip";
import { hostPrefix, parsePrefix, type Prefix } from "./prefix";

/** Parses an address as OVN writes it, with or without a prefix length. Empty if OVN could not read it either. */
export function readable(text: string): Prefix[] {
  try {
    return [text.includes("/") ? parsePrefix(text) : hostPrefix(parseIp(text))];
  } catch {
    return [];
  }
}
