import { isAsDesired, isRelevant, NOTHING_WATCHED, routesByKey, watchedBy } from "@pulumi-ovn/agent/testing";
import { type HostState, NOTHING, type Route } from "@pulumi-ovn/provider/agent";

const own = (destination: string, device: string): Route => ({ table: 1087, destination, device, via: null });
const state: HostState = {
  ...NOTHING,
  devices: ["br-ex", "bgp7-abc", "br@two"],
  rules: [{ family: 4, priority: 32000, table: 1087 }],
  routes: [own("198.51.100.9/32", "br-two")],
  bgp: { asNumber: 64513, routerId: null, table: 1087, vrf: "bgp-vrf" },
};
/** Indexes of its bridge and its VRF. */
const SEEN = new Set([6, 8]);

test("watched objects of a state: its devices, including the VRF, and its tables", () => {
  expect(watchedBy(state, new Set([6, 8]))).toEqual({
    tables: new Set([1087]),
    devices: new Set(["br-ex", "bgp7-abc", "br@two", "br-two", "bgp-vrf"]),
    indexes: new Set([6, 8]),
  });
  expect(watchedBy(NOTHING, new Set())).toEqual(NOTHING_WATCHED);
});

test.each<[string, string]>([
  ["a route of the agent", "[ROUTE]Deleted 198.51.100.5 dev br-ex table 1088 proto 87 scope 253 "],
  ["a route of others in the table", "[ROUTE]192.0.2.0/24 dev eth0 table 1087 proto 4"],
  ["a new network of the host", "[ROUTE]10.1.0.0/24 dev eth1 proto 2 scope 253 src 10.1.0.5 "],
  ["one that it leaves", "[ROUTE]Deleted 2001:db8:1::/64 dev eth1 proto 2 metric 256 pref medium"],
  ["one that a router advertises", "[ROUTE]2001:db8:2::/64 dev eth1 proto 9 metric 1024 expires 1000sec pref medium"],
  ["the same, deleted", "[ROUTE]Deleted 2001:db8:2::/64 dev eth1 proto 9 metric 1024 pref medium"],
  ["a setting of the bridge", "[NETCONF]inet br-ex proxy_neigh off "],
  ["a setting of all devices", "[NETCONF]inet6 all forwarding off "],
  ["a rule", "[RULE]5:\tfrom all lookup 1087"],
  ["an address of the bridge", "[ADDR]6: br-ex    inet 169.254.9.9/32 scope 0 br-ex"],
  ["one that it loses", "[ADDR]Deleted 6: br-ex    inet6 2001:db8::1/64 scope 0 "],
  ["an address of the agent's kind elsewhere", "[ADDR]9: eth1    inet 169.254.1.1/32 scope 0 eth1"],
  ["the same of IPv6", "[ADDR]Deleted 9: eth1    inet6 fd53:d91e:400:7f17::1:1/128 scope 0 "],
  ["the bridge down", "[LINK]15: br-ex: <BROADCAST> state DOWN"],
  ["a deleted tagged port", "[LINK]Deleted 7: bgp7-abc: <BROADCAST> state DOWN"],
  ["the VRF", "[LINK]14: bgp-vrf: <NOARP,MASTER> state DOWN"],
  ["a device with a lower one", "[LINK]13: br-two@if5: <BROADCAST> state DOWN"],
  ["a device with an @ in its name", "[LINK]12: br@two: <BROADCAST> state DOWN"],
  ["the same, with a lower one", "[LINK]12: br@two@if5: <BROADCAST> state DOWN"],
  ["the same, with one whose name has an @, too", "[LINK]12: br@two@p@1: <BROADCAST> state DOWN"],
  ["its address", "[ADDR]12: br@two    inet 10.1.0.5/24 scope 0 br@two"],
  ["a device that is renamed while it is up", "[LINK]8: other-vrf: <NOARP,MASTER,UP,LOWER_UP> mtu 65575 state UP"],
  ["an address of it by then", "[ADDR]8: other-vrf    inet 10.1.0.5/24 scope 0 other-vrf"],
  ["a permanent neighbour", "[NEIGH]1.2.3.4 dev br-ex lladdr 0a:00:00:00:00:01 PERMANENT proto 87 "],
  ["a deleted one of the agent", "[NEIGH]Deleted 1.2.3.4 dev br-ex FAILED proto 87 "],
  ["words that are not known", "[LINK]br-ex"],
])("needs a scan: %s", (_what, line) => expect([line, isRelevant(line, watchedBy(state, SEEN))]).toEqual([line, true]));

test.each<[string, string]>([
  ["a setting of another device", "[NETCONF]inet eth1 forwarding on rp_filter off mc_forwarding off proxy_neigh on ignore_routes_with_linkdown off "],
  ["a workload's new device", "[LINK]12: tap1: <BROADCAST,MULTICAST,UP,LOWER_UP> mtu 1500 qdisc 3 master ovs-system state UP group 0 "],
  ["one whose name begins with the bridge's", "[LINK]12: br-ext: <BROADCAST> state DOWN"],
  ["one with an @ in its name, which begins with none of them", "[LINK]12: br@ex: <BROADCAST> state DOWN"],
  ["a link-local address of a device that was renamed", "[ADDR]8: other-vrf    inet6 fe80::8/64 scope 253 "],
  ["its end", "[LINK]Deleted 12: tap1@NONE: <BROADCAST,MULTICAST> mtu 1500 qdisc 3 state DOWN group 0 "],
  ["its link-local address", "[ADDR]12: tap1    inet6 fe80::42/64 scope 253 "],
  ["the route of that", "[ROUTE]fe80::/64 dev tap1 proto 2 metric 256 pref medium"],
  ["the same, deleted", "[ROUTE]Deleted fe80::/64 dev tap1 proto 2 metric 256 pref medium"],
  ["a link-local address of the bridge, which is added after its activation", "[ADDR]6: br-ex    inet6 fe80::1/64 scope 253 proto 0x3 "],
  ["and those in the local table", "[ROUTE]5 ff00::/8 dev tap1 table 255 proto 2 metric 256 pref medium"],
  ["another device's address", "[ADDR]9: eth1    inet 10.1.0.5/24 scope 0 eth1"],
  ["a learned neighbour", "[NEIGH]1.2.3.4 dev eth0 lladdr 0a:00:00:00:00:01 REACHABLE "],
  ["a learned route", "[ROUTE]10.0.0.0/8 via 192.0.2.1 dev eth0 proto 186 metric 20 "],
  ["what is advertised to be behind a router", "[ROUTE]2001:db8:3::/48 via fe80::1 dev eth1 proto 9 metric 1024 pref medium"],
  ["the way out that is advertised", "[ROUTE]default via fe80::1 dev eth1 proto 9 metric 1024 expires 1000sec pref medium"],
  ["a route of another protocol", "[ROUTE]2001:db8:2::/64 dev eth1 proto 91 metric 1024 pref medium"],
  ["a route of others in another table", "[ROUTE]192.0.2.0/24 dev eth0 table 1088 proto 4"],
  ["an own address of the local table", "[ROUTE]2 169.254.9.9 dev br-ex table 255 proto 2 scope 254 src 169.254.9.9 "],
  ["the rest of a line", "       valid_lft forever preferred_lft forever"],
])("needs no scan: %s", (_what, line) => expect([line, isRelevant(line, watchedBy(state, SEEN))]).toEqual([line, false]));

const route = (destination: string, via: string | null = null, table = 1087): Route => ({ table, destination, device: "br-ex", via });
const wanted = routesByKey([
  route("198.51.100.5/32"),
  route("10.1.0.9/24", "198.51.100.2"),
  route("2001:DB8:0::5/128"),
  route("2001:db8:1::/64", "2001:db8::2"),
  route("2001:db8::/32"),
  route("10.0.0.0/8", null, 1088),
]);
const isWanted = (line: string): boolean => isAsDesired(`[ROUTE]${line}`, wanted);

test("lines of ip(8) that report the agent's routes as desired", () => {
  for (const line of [
    "198.51.100.5 dev br-ex table 1087 proto 87 scope 253 ",
    "10.1.0.0/24 via 198.51.100.2 dev br-ex table 1087 proto 87 onlink ",
    "10.0.0.0/8 dev br-ex table 1088 proto 87 scope 253 ",
    "2001:db8::5 dev br-ex table 1087 proto 87 metric 1024 pref medium",
    "2001:db8:1::/64 via 2001:db8::2 dev br-ex table 1087 proto 87 metric 1024 onlink pref medium",
    "2001:db8::/32 dev br-ex table 1087 proto 87 metric 1024 pref medium",
    "Deleted 198.51.100.6 dev br-ex table 1087 proto 87 scope 253 ",
    "Deleted 198.51.100.5 dev br-ex table 1088 proto 87 scope 253 ",
    "Deleted 2001:db8::6 via fe80::1 dev br-two table 1087 proto 87 metric 1024 onlink pref medium",
  ])
    expect([line, isWanted(line)]).toEqual([line, true]);
});

test("a deleted, redirected, differently typed or foreign route, and a line about no route, is not as desired", () => {
  for (const line of [
    "Deleted 198.51.100.5 dev br-ex table 1087 proto 87 scope 253 ",
    "Deleted 10.1.0.0/24 via 198.51.100.3 dev br-ex table 1087 proto 87 onlink ",
    "198.51.100.6 dev br-ex table 1087 proto 87 scope 253 ",
    "198.51.100.5 dev br-two table 1087 proto 87 scope 253 ",
    "198.51.100.5 via 198.51.100.2 dev br-ex table 1087 proto 87 onlink ",
    "10.1.0.0/24 via 198.51.100.3 dev br-ex table 1087 proto 87 onlink ",
    "10.1.0.0/24 dev br-ex table 1087 proto 87 scope 253 ",
    "198.51.100.5 dev br-ex table 1087 proto 87 scope 253 metric 5 ",
    "198.51.100.5 dev br-ex table 1087 proto 4 scope 253 ",
    "198.51.100.5 dev br-ex table 1087 proto 87 scope 253 linkdown ",
    "2001:db8::5 dev br-ex table 1087 proto 87 metric 7 pref medium",
    "198.51.100.5 dev br-ex table 1088 proto 87 scope 253 ",
    "7 198.51.100.9 dev lo table 1087 proto 87 metric 4278198272 ",
    "Deleted default dev br-ex table 1087 proto 87 scope 253 ",
    "Deleted 198.51.100.9 dev br-ex table 1087 proto 870 scope 253 ",
  ])
    expect([line, isWanted(line)]).toEqual([line, false]);
  expect(isAsDesired("[ADDR]6: br-ex    inet 169.254.9.9/32 scope 0 br-ex", wanted)).toBe(false);
  expect(isAsDesired("[RULE]Deleted 198.51.100.6 dev br-ex table 1087 proto 87 scope 253 ", wanted)).toBe(false);
});
