import fc from "fast-check";
import { ConnectionError, parseEndpoints } from "@pulumi-ovn/ovsdb-client";

describe("endpoints", () => {
  test.each([
    ["unix:/run/ovn/ovnnb_db.sock", { kind: "unix", path: "/run/ovn/ovnnb_db.sock" }],
    ["unix:/with,comma:and colon", { kind: "unix", path: "/with,comma:and colon" }],
    ["tcp:10.0.0.1:6641", { kind: "tcp", host: "10.0.0.1", port: 6641 }],
    ["tcp:host.example", { kind: "tcp", host: "host.example", port: 6640 }],
    ["ssl:[fd00::1]:6641", { kind: "ssl", host: "fd00::1", port: 6641 }],
    ["ssl:[fe80::1%eth0]", { kind: "ssl", host: "fe80::1%eth0", port: 6640 }],
    ["exec:ssh node1 nc -U /a,b", { kind: "exec", command: "ssh node1 nc -U /a,b" }],
  ])("%s", (text, endpoint) => {
    expect(parseEndpoints(text)).toEqual([{ text, ...endpoint }]);
  });

  test("lists: a comma separates only where an endpoint follows", () => {
    const list = "ssl:10.0.0.1:6641, ssl:[::1]:6641,exec:a -b,c,unix:/x,y,tcp:h:1";
    expect(parseEndpoints(list).map(({ text }) => text)).toEqual(["ssl:10.0.0.1:6641", "ssl:[::1]:6641", "exec:a -b,c", "unix:/x,y", "tcp:h:1"]);
  });

  test.each([
    ["", 'endpoint "": it must start with unix:, tcp:, ssl: or exec:'],
    ["http:x:1", 'endpoint "http:x:1": it must start with unix:, tcp:, ssl: or exec:'],
    ["unix:", 'endpoint "unix:": the path is missing'],
    ["exec: ", 'endpoint "exec:": the command is missing'],
    ["tcp:::1:6641", 'endpoint "tcp:::1:6641": expected HOST:PORT, with an IPv6 address in brackets'],
    ["tcp:host:0", 'endpoint "tcp:host:0": there is no port 0'],
    ["tcp:host:65536", 'endpoint "tcp:host:65536": there is no port 65536'],
    ["tcp:host:x", 'endpoint "tcp:host:x": expected HOST:PORT, with an IPv6 address in brackets'],
    ["tcp:a:1,,tcp:b:1", 'endpoint "tcp:a:1,": expected HOST:PORT, with an IPv6 address in brackets'],
  ])("%j is refused", (list, problem) => {
    expect(() => parseEndpoints(list)).toThrow(ConnectionError);
    expect(() => parseEndpoints(list)).toThrow(problem);
  });

  test("any list of addresses comes back", () => {
    const endpoint = fc.oneof(
      fc.tuple(fc.constantFrom("tcp", "ssl"), fc.ipV4(), fc.integer({ min: 1, max: 65535 })).map(([kind, host, port]) => ({ text: `${kind}:${host}:${port}`, kind, host, port })),
      fc.tuple(fc.constantFrom("tcp", "ssl"), fc.ipV6(), fc.integer({ min: 1, max: 65535 })).map(([kind, host, port]) => ({ text: `${kind}:[${host}]:${port}`, kind, host, port })),
    );
    fc.assert(fc.property(fc.array(endpoint, { minLength: 1 }), (list) => expect(parseEndpoints(list.map(({ text }) => text).join(","))).toEqual(list)));
  });
});
