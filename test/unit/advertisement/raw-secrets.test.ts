import { holdsSecret, withoutSecrets } from "@pulumi-ovn/provider/testing";

const SECRET = "hunter2";

it.each([
  "neighbor 10.0.0.1 password hunter2",
  "NEIGHBOR 10.0.0.1 PASSWORD hunter2",
  "enable password 8 hunter2",
  "area-password md5 hunter2",
  "ip ospf authentication-key hunter2",
  "ip ospf message-digest-key 1 md5 hunter2",
  "ipv6 ospf6 authentication key-id 7 hash-algo md5 key hunter2",
  "ip rip authentication  string hunter2",
  "ip nhrp authentication hunter2",
  " key-string hunter2",
  "tcp-md5-auth hunter2",
  "neighbor 10.0.0.1 password a\rhunter2",
  "neighbor 10.0.0.1 password a\u2028hunter2",
])("finds and masks the secret of %j, and no other line", (line) => {
  const text = `! first\n${line}\n set ip next-hop 10.0.0.1`;
  const masked = withoutSecrets(text);
  expect(holdsSecret(text)).toBe(true);
  expect(masked).not.toContain(SECRET);
  expect(masked).toMatch(/^! first\n.* \(hidden\)\n set ip next-hop 10\.0\.0\.1$/);
  // A masked text is refused too, and masking it again changes nothing.
  expect([holdsSecret(masked), withoutSecrets(masked)]).toEqual([true, masked]);
});

it.each([
  "route-map 192.168.111.3-out permit 1\n set ip next-hop 192.168.111.21\nexit",
  "ip ospf authentication message-digest",
  "ip prefix-list passwords permit 10.0.0.0/8",
  "authentication mode md5",
  "",
])("does not change %j", (text) => {
  expect([holdsSecret(text), withoutSecrets(text)]).toEqual([false, text]);
});
