/** One flow in the syntax of ovs-ofctl(8). The back end adds the cookie. */
export function flow(table: number, priority: number, match: readonly string[], actions: readonly string[]): string {
  return [`table=${table}`, `priority=${priority}`, ...match, `actions=${actions.join(",")}`].join(",");
}

/** Whether an address or subnet is IPv6. */
export const isSixth = (text: string): boolean => text.includes(":");

/** The protocol of a family, and its source or destination. */
export const ipMatch = (end: "src" | "dst", text: string): string[] => (isSixth(text) ? ["ipv6", `ipv6_${end}=${text}`] : ["ip", `nw_${end}=${text}`]);
