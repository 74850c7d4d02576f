import { OvsdbError } from "@pulumi-ovn/ovsdb-client";

/**
 * Message of an error without the endpoint, if the prefix already names it.
 *
 * @param target `zone "node1" (tcp:10.0.0.1:6641)`; an error about one of several endpoints names it
 */
export function messageIn(target: string, error: Error): string {
  return error instanceof OvsdbError && target.endsWith(`(${error.endpoint})`) ? error.reason : error.message;
}
