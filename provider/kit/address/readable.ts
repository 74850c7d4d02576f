import { parseIp } from "./ip";
import { hostPrefix, parsePrefix, type Prefix } from "./prefix";

/** An address as OVN writes it, with or without a prefix length; one that OVN would not read either is none. */
export function readable(text: string): Prefix[] {
  try {
    return [text.includes("/") ? parsePrefix(text) : hostPrefix(parseIp(text))];
  } catch {
    return [];
  }
}
