import type { Route } from "../../../../agent/desired/host-state";
import { asWanted, byPlace, concerns } from "../../../../agent/host/news";

test("news: those that may be about the agent's, not what every host has all the time", () => {
  const told = (line: string) => [line, concerns(line)];
  const telling = ["[ROUTE]Deleted 198.51.100.5 dev br-ex table 1087 proto 87 scope 253 ", "[RULE]5:	from all lookup 1087", "[ADDR]6: br-ex    inet 169.254.9.9/32 scope 0 br-ex", "[LINK]6: br-ex: <BROADCAST> state DOWN", "[NEIGH]1.2.3.4 dev br-ex lladdr 0a:00:00:00:00:01 PERMANENT proto 87 ", "[NEIGH]Deleted 1.2.3.4 dev br-ex FAILED proto 87 "];
  const silent = ["[NEIGH]1.2.3.4 dev eth0 lladdr 0a:00:00:00:00:01 REACHABLE ", "[ROUTE]10.0.0.0/8 via 192.0.2.1 dev eth0 proto 186 metric 20 ", "[ROUTE]2 169.254.9.9 dev br-ex table 255 proto 2 scope 254 src 169.254.9.9 ", "       valid_lft forever preferred_lft forever"];
  expect(concerns("[ROUTE]192.0.2.0/24 dev eth0 table 1087 proto 4", [1087])).toBe(true);
  expect(concerns("[ROUTE]192.0.2.0/24 dev eth0 table 1088 proto 4", [1087])).toBe(false);
  expect([...telling, ...silent].map(told)).toEqual([...telling.map((line) => [line, true]), ...silent.map((line) => [line, false])]);
});

const route = (destination: string, via: string | null = null, table = 1087): Route => ({ table, destination, device: "br-ex", via });
const wanted = byPlace([route("198.51.100.5/32"), route("10.1.0.9/24", "198.51.100.2"), route("2001:DB8:0::5/128"), route("2001:db8:1::/64", "2001:db8::2"), route("2001:db8::/32"), route("10.0.0.0/8", null, 1088)]);
const isWanted = (line: string): boolean => asWanted(`[ROUTE]${line}`, wanted);

test("news of the agent's routes, in the words of ip(8), that say what is wanted", () => {
  for (const line of [
    "198.51.100.5 dev br-ex table 1087 proto 87 scope 253 ", "10.1.0.0/24 via 198.51.100.2 dev br-ex table 1087 proto 87 onlink ", "10.0.0.0/8 dev br-ex table 1088 proto 87 scope 253 ",
    "2001:db8::5 dev br-ex table 1087 proto 87 metric 1024 pref medium", "2001:db8:1::/64 via 2001:db8::2 dev br-ex table 1087 proto 87 metric 1024 onlink pref medium", "2001:db8::/32 dev br-ex table 1087 proto 87 metric 1024 pref medium",
    "Deleted 198.51.100.6 dev br-ex table 1087 proto 87 scope 253 ", "Deleted 198.51.100.5 dev br-ex table 1088 proto 87 scope 253 ", "Deleted 2001:db8::6 via fe80::1 dev br-two table 1087 proto 87 metric 1024 onlink pref medium",
  ]) expect([line, isWanted(line)]).toEqual([line, true]);
});

test("what is gone though it is wanted, leads another way, is of another kind or owner, or is no route at all says something else", () => {
  for (const line of [
    "Deleted 198.51.100.5 dev br-ex table 1087 proto 87 scope 253 ", "Deleted 10.1.0.0/24 via 198.51.100.3 dev br-ex table 1087 proto 87 onlink ", "198.51.100.6 dev br-ex table 1087 proto 87 scope 253 ",
    "198.51.100.5 dev br-two table 1087 proto 87 scope 253 ", "198.51.100.5 via 198.51.100.2 dev br-ex table 1087 proto 87 onlink ", "10.1.0.0/24 via 198.51.100.3 dev br-ex table 1087 proto 87 onlink ", "10.1.0.0/24 dev br-ex table 1087 proto 87 scope 253 ",
    "198.51.100.5 dev br-ex table 1087 proto 87 scope 253 metric 5 ", "198.51.100.5 dev br-ex table 1087 proto 4 scope 253 ", "198.51.100.5 dev br-ex table 1087 proto 87 scope 253 linkdown ", "2001:db8::5 dev br-ex table 1087 proto 87 metric 7 pref medium",
    "198.51.100.5 dev br-ex table 1088 proto 87 scope 253 ", "7 198.51.100.9 dev lo table 1087 proto 87 metric 4278198272 ", "Deleted default dev br-ex table 1087 proto 87 scope 253 ", "Deleted 198.51.100.9 dev br-ex table 1087 proto 870 scope 253 ",
  ]) expect([line, isWanted(line)]).toEqual([line, false]);
  expect(asWanted("[ADDR]6: br-ex    inet 169.254.9.9/32 scope 0 br-ex", wanted)).toBe(false);
  expect(asWanted("[RULE]Deleted 198.51.100.6 dev br-ex table 1087 proto 87 scope 253 ", wanted)).toBe(false);
});
