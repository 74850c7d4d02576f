import { described, flowOf, type Packet } from "@pulumi-ovn/cli/testing";

const headers = { source: "0a:00:00:00:00:01", destination: "0a:58:00:00:00:01", ttl: 64 };
const four: Packet = { family: 4, source: "10.1.1.11", destination: "10.1.2.12", protocol: "tcp", port: 443 };
const six: Packet = { ...four, family: 6, source: "fd01::1", destination: "fd02::2" };
const [v4, v6] = ["nw_src=10.1.1.11,nw_dst=10.1.2.12,nw_ttl=64,nw_frag=no", "ipv6_src=fd01::1,ipv6_dst=fd02::2,nw_ttl=64,nw_frag=no"];

it.each([
  [four, `tcp,tcp_src=49152,tcp_dst=443,${v4}`, "tcp port 443"],
  [{ ...four, protocol: "udp", port: 53 }, `udp,udp_src=49152,udp_dst=53,${v4}`, "udp port 53"],
  [{ ...four, protocol: "icmp", port: undefined }, `icmp,icmp_type=8,icmp_code=0,${v4}`, "icmp"],
  [{ ...four, protocol: "47", port: undefined }, `ip,nw_proto=47,${v4}`, "protocol 47"],
  [six, `tcp6,tcp_src=49152,tcp_dst=443,${v6}`, "tcp port 443"],
  [{ ...six, protocol: "sctp", port: 1 }, `sctp6,sctp_src=49152,sctp_dst=1,${v6}`, "sctp port 1"],
  [{ ...six, protocol: "icmpv6", port: undefined }, `icmp6,icmpv6_type=128,icmpv6_code=0,${v6}`, "icmpv6"],
  [{ ...six, protocol: "47", port: undefined }, `ipv6,nw_proto=47,${v6}`, "protocol 47"],
])("%j", (packet, fields, words) => {
  expect(flowOf(packet, "tap1", headers, undefined)).toBe(`in_port="tap1",dl_src=0a:00:00:00:00:01,dl_dst=0a:58:00:00:00:01,${fields}`);
  expect(described(packet)).toBe(words);
});

it.each([
  ["7", 'in_port="7",'],
  ["0x8", 'in_port="0x8",'],
  ["local", 'in_port="local",'],
  ['q"x', 'in_port="q\\"x",'],
])("enters by interface %s, also if its name has another meaning", (port, field) => {
  expect(flowOf(four, port, headers, undefined)).toContain(field);
});

it("is read from a tunnel of either family", () => {
  expect(flowOf(four, "t1-h1", headers, { from: "192.0.2.1", to: "192.0.2.2", key: 1 })).toMatch(
    /^in_port="t1-h1",tun_src=192\.0\.2\.1,tun_dst=192\.0\.2\.2,tun_id=1,dl_src=/,
  );
  expect(flowOf(four, "t1-h1", headers, { from: "fd00::1", to: "fd00::2", key: 4_294_967_295 })).toMatch(
    /^in_port="t1-h1",tun_ipv6_src=fd00::1,tun_ipv6_dst=fd00::2,tun_id=4294967295,dl_src=/,
  );
});
