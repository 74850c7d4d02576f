import { type Endpoint, parseEndpoints } from "@pulumi-ovn/ovsdb-client";

/** Names and addresses of the servers in a list of endpoints (ovsdb(7)). Empty for any other text: the client that connects reports it. */
export function hostsIn(list: string): string[] {
  let endpoints: readonly Endpoint[];
  try {
    endpoints = parseEndpoints(list);
  } catch {
    return [];
  }
  return endpoints.flatMap((endpoint) => ("host" in endpoint ? [endpoint.host] : []));
}
