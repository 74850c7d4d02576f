import { OvsdbError } from "@pulumi-ovn/ovsdb-client";

/**
 * What an error says behind the description of where it happened: an endpoint that stands there is not named again.
 *
 * @param place `zone "node1" (tcp:10.0.0.1:6641)`; of several endpoints an error names the one that it is about
 */
export function messageIn(place: string, error: Error): string {
  return error instanceof OvsdbError && place.endsWith(`(${error.endpoint})`) ? error.reason : error.message;
}
