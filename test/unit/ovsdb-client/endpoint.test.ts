import fc from "fast-check";
import { ConnectionError, describeEndpoint, parseEndpoints } from "@pulumi-ovn/ovsdb-client";

describe("endpoints", () => {
  test.each([
    ["unix:/run/ovn/ovnnb_db.sock", { kind: "unix", path: "/run/ovn/ovnnb_db.sock" }],
    ["unix:/with,comma:and colon", { kind: "unix", path: "/with,comma:and colon" }],
    ["tcp:10.0.0.1:6641", { kind: "tcp", host: "10.0.0.1", port: 6641 }],
    ["tcp:host.example:6640", { kind: "tcp", host: "host.example", port: 6640 }],
    ["ssl:[fd00::1]:6641", { kind: "ssl", host: "fd00::1", port: 6641 }],
    ["ssl:[fe80::1%eth0]:1", { kind: "ssl", host: "fe80::1%eth0", port: 1 }],
  ])("%s", (text, endpoint) => {
    expect(parseEndpoints(text)).toEqual([{ text, ...endpoint }]);
  });

  test("a command is a field, and not in the text", () => {
    expect(parseEndpoints("exec:ssh node1 nc -U /a,b")).toEqual([{ kind: "exec", text: "exec:ssh ...", command: "ssh node1 nc -U /a,b" }]);
  });

  test("a comma separates only before another endpoint", () => {
    const list = "ssl:10.0.0.1:6641, ssl:[::1]:6641,exec:a -b,c,unix:/x,y,tcp:h:1";
    const parsed = parseEndpoints(list);
    expect(parsed.map(({ text }) => text)).toEqual(["ssl:10.0.0.1:6641", "ssl:[::1]:6641", "exec:a ...", "unix:/x,y", "tcp:h:1"]);
    expect(parsed[2]).toMatchObject({ command: "a -b,c" });
  });

  test.each([
    ["", 'endpoint "": it must start with unix:, tcp:, ssl: or exec:'],
    ["http:x:1", 'endpoint "http:...": it must start with unix:, tcp:, ssl: or exec:'],
    ["TOKEN=abc ssh node1", 'endpoint "ssh ...": it must start with unix:, tcp:, ssl: or exec:'],
    ["/run/ovn/ovnnb_db.sock", 'endpoint "/run/ovn/ovnnb_db.sock": it must start with unix:, tcp:, ssl: or exec:'],
    ["unix:", 'endpoint "unix:": the path is missing'],
    ["exec: ", 'endpoint "exec:": the command is missing'],
    ["tcp:::1:6641", 'endpoint "tcp:::1:6641": an IPv6 address must be in brackets: tcp:[::1]:6641'],
    ["tcp:fd00::1:6641", 'endpoint "tcp:fd00::1:6641": an IPv6 address must be in brackets: tcp:[fd00::1]:6641'],
    ["ssl:fd00::a", 'endpoint "ssl:fd00::a": an IPv6 address must be in brackets, and the port is missing: ssl:[fd00::a]:PORT'],
    ["ssl:1:2:3:4:5:6:7:8:9", 'endpoint "ssl:1:2:3:4:5:6:7:8:9": an IPv6 address must be in brackets: ssl:[1:2:3:4:5:6:7:8]:9'],
    ["tcp:a:b:1", 'endpoint "tcp:a:b:1": expected HOST:PORT, with an IPv6 address in brackets'],
    ["tcp:[fd00::1]", 'endpoint "tcp:[fd00::1]": the port is missing: tcp:[fd00::1]:PORT'],
    ["ssl:host.example", 'endpoint "ssl:host.example": the port is missing: ssl:host.example:PORT'],
    ["tcp:[10.0.0.1]:1", 'endpoint "tcp:[10.0.0.1]:1": 10.0.0.1 is not an IPv6 address'],
    ["tcp:[host]:1", 'endpoint "tcp:[host]:1": host is not an IPv6 address'],
    ["tcp:10.0.0.256:1", 'endpoint "tcp:10.0.0.256:1": 10.0.0.256 is not an IPv4 address'],
    ["tcp:010.0.0.1:1", 'endpoint "tcp:010.0.0.1:1": 010.0.0.1 is not an IPv4 address'],
    ["tcp:host:1,ssl:h", 'endpoint "ssl:h": the port is missing: ssl:h:PORT'],
    ["tcp:host:0", 'endpoint "tcp:host:0": there is no port 0'],
    ["tcp:host:65536", 'endpoint "tcp:host:65536": there is no port 65536'],
    ["tcp:host:x", 'endpoint "tcp:host:x": expected HOST:PORT, with an IPv6 address in brackets'],
    ["tcp:a:1,,tcp:b:1", 'endpoint "tcp:a:1,": expected HOST:PORT, with an IPv6 address in brackets'],
  ])("%j is refused", (list, problem) => {
    expect(() => parseEndpoints(list)).toThrow(ConnectionError);
    expect(() => parseEndpoints(list)).toThrow(problem);
  });

  test("any list of addresses reads as the same list", () => {
    const endpoint = fc.oneof(
      fc
        .tuple(fc.constantFrom("tcp", "ssl"), fc.ipV4(), fc.integer({ min: 1, max: 65535 }))
        .map(([kind, host, port]) => ({ text: `${kind}:${host}:${port}`, kind, host, port })),
      fc
        .tuple(fc.constantFrom("tcp", "ssl"), fc.ipV6(), fc.integer({ min: 1, max: 65535 }))
        .map(([kind, host, port]) => ({ text: `${kind}:[${host}]:${port}`, kind, host, port })),
    );
    fc.assert(fc.property(fc.array(endpoint, { minLength: 1 }), (list) => expect(parseEndpoints(list.map(({ text }) => text).join(","))).toEqual(list)));
  });
});

describe("displayed endpoints", () => {
  test.each([
    ["unix:/run/x.sock", "unix:/run/x.sock"],
    ["tcp:h:1, ssl:[::1]:2", "tcp:h:1,ssl:[::1]:2"],
    ["exec:ssh", "exec:ssh"],
    ["exec:/usr/bin/ssh -i key node nc", "exec:/usr/bin/ssh ..."],
    ["exec: ssh x", "exec:ssh ..."],
    ["exec:TOKEN=s3cret ssh", "exec:ssh ..."],
    ["exec:A='s3 cret' B=\"s3cret\"s3cret C= ssh -v", "exec:ssh ..."],
    ["exec:TOKEN=$(echo s3cret) ssh", "exec:..."],
    ["exec:TOKEN=`echo s3cret` ssh", "exec:..."],
    ['exec:TOKEN="$(echo s3cret)" ssh', "exec:..."],
    ['exec:TOKEN="a\\" s3cret" ssh', "exec:..."],
    ["exec:TOKEN=a\\ s3cret ssh", "exec:..."],
    ["exec:TOKEN=s3cret", "exec:..."],
    ["exec:TOKEN='s3cret ssh", "exec:..."],
    ["exec:echo s3cret|nc", "exec:echo ..."],
    ["exec:(s3cret; b)", "exec:..."],
    ["exec:'s3cret' b", "exec:..."],
    ["exec:<s3cret cat", "exec:..."],
    ["unix:/a,exec:nc s3cret,tcp:h:1", "unix:/a,exec:nc ...,tcp:h:1"],
    ["http://user:s3cret@host/", "http:..."],
    ["curl s3cret", "curl ..."],
    ["unix:/a\nb\u001b[31m", "unix:/a; b\\u001b[31m"],
    [`unix:/${"x".repeat(2000)}`, `unix:/${"x".repeat(594)} ... ${"x".repeat(400)}`],
    ["exec:", "exec:"],
    ["", ""],
  ])("%j", (text, shown) => {
    expect(describeEndpoint(text)).toBe(shown);
  });

  test("are equal when displayed again", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), (text) => expect(describeEndpoint(describeEndpoint(`exec:${text}`))).toBe(describeEndpoint(`exec:${text}`))),
    );
  });

  test("never contain a word that is not a program, at any position", () => {
    const around = fc.constantFrom(
      "A=",
      "A='",
      "'",
      '"',
      "$(",
      "`",
      " ",
      "  ",
      "--x=",
      "-p ",
      "\\",
      "\n",
      "A=1 ",
      "ssh ",
      "<",
      ">",
      "&",
      "&&",
      "|",
      ";",
      "(",
      ")",
      "{ ",
      "!",
      "#",
      "$",
      "=",
      ",",
    );
    fc.assert(
      fc.property(fc.array(around, { minLength: 1, maxLength: 6 }), fc.array(around, { maxLength: 3 }), (before, after) => {
        const command = `${before.join("")}s3cret${after.join("")}`;
        // As a shell reads it, the word may be the program, which is shown.
        fc.pre(!/^\s*(?:[A-Z]=(?:'[^']*'|"[^"]*"|[^\s'"])*\s+)*s3cret/.test(command));
        expect(describeEndpoint(`exec:${command}`)).not.toContain("s3cret");
      }),
      { numRuns: 3000 },
    );
  });
});
