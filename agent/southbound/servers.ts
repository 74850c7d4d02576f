import { type Endpoint, parseEndpoints } from "@pulumi-ovn/ovsdb-client";
import { readable } from "@pulumi-ovn/provider/agent";

/** Pure. The IP addresses among endpoints of databases, in one order. Of names nothing is known: ovn-controller itself takes addresses. (ovsdb(7), Active) */
export function serversIn(...endpoints: readonly (string | undefined)[]): string[] {
  const found = endpoints.flatMap((list) => (list === undefined ? [] : listed(list))).flatMap((endpoint) => ("host" in endpoint && readable(endpoint.host).length > 0 ? [endpoint.host] : []));
  return [...new Set(found)].sort();
}

/** What is no list of endpoints is a problem of the connection. */
function listed(text: string): readonly Endpoint[] {
  try {
    return parseEndpoints(text);
  } catch {
    return [];
  }
}
