import { ConnectionError } from "@pulumi-ovn/ovsdb-client";
import { messageIn } from "@pulumi-ovn/provider/tools";

const refused = new ConnectionError("connect ECONNREFUSED", { endpoint: "tcp:10.0.0.1:6641" });

it.each([
  ["does not name the endpoint again that the place ends with", 'zone "a" (tcp:10.0.0.1:6641)', refused, "connect ECONNREFUSED"],
  ["names one of several endpoints", 'zone "a" (tcp:10.0.0.1:6641,tcp:10.0.0.2:6641)', refused, "tcp:10.0.0.1:6641: connect ECONNREFUSED"],
  ["names an endpoint that is not in the place", 'zone "a"', refused, "tcp:10.0.0.1:6641: connect ECONNREFUSED"],
  ["leaves other errors as they are", 'zone "a" (tcp:10.0.0.1:6641)', new Error("tcp:10.0.0.1:6641: no"), "tcp:10.0.0.1:6641: no"],
  ["leaves an error without an endpoint as it is", 'zone "a" (undefined)', new ConnectionError("undefined: no"), "undefined: no"],
])("%s", (_what, place, error, text) => {
  expect(messageIn(place, error)).toBe(text);
});
