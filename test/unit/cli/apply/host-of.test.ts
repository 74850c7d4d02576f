import { databaseHost } from "@pulumi-ovn/cli/testing";

it.each([
  ["unix:/run/ovn/nb.sock", [], "unix:/run/ovn/nb.sock"],
  ["exec:ssh node1 nc -U /run/ovn/nb.sock", ["ssh", "node1"], "unix:/run/ovn/nb.sock"],
  [
    "exec:/usr/bin/ssh -T -p 22 -i key root@node1 sudo socat - UNIX-CONNECT:/run/nb.sock",
    ["/usr/bin/ssh", "-T", "-p", "22", "-i", "key", "root@node1", "sudo"],
    "unix:/run/nb.sock",
  ],
  ["exec:ip netns exec node1 nc -U /run/nb.sock", ["ip", "netns", "exec", "node1"], "unix:/run/nb.sock"],
  ["exec:ssh a ssh b nc -U /nb.sock", ["ssh", "a", "ssh", "b"], "unix:/nb.sock"],
  ["exec:kubectl -n ovn exec -i db-0 -- socat - UNIX:/nb.sock", ["kubectl", "-n", "ovn", "exec", "-i", "db-0", "--"], "unix:/nb.sock"],
])("finds the host and the socket of %s", (endpoint, command, socket) => {
  const stream = endpoint.startsWith("unix:") ? [] : endpoint.slice("exec:".length).split(" ").slice(command.length);
  expect(databaseHost(endpoint)).toEqual({ command, endpoint: socket, stream });
});

it.each([
  "tcp:10.0.0.1:6641",
  "ssl:10.0.0.1:6641",
  "unix:/a.sock,unix:/b.sock",
  "exec:nc -U /run/nb.sock",
  "exec:ssh node1",
  "exec:ssh -p 22",
  "exec:ssh node1 'nc -U /nb.sock'",
  "exec:ssh node1 nc 10.0.0.1 6641",
  "exec:kubectl exec -i db-0 nc -U /nb.sock",
])("finds no host of %s", (endpoint) => {
  expect(databaseHost(endpoint)).toBeUndefined();
});
