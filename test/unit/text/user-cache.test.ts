import { cacheIn } from "@pulumi-ovn/provider/cache";

describe("the user's cache folder", () => {
  const home = () => "/home/me";
  const noHome = () => {
    throw new Error("ENOENT: no such file or directory, uv_os_homedir");
  };

  it.each<[string, NodeJS.ProcessEnv, () => string, string | undefined]>([
    ["in the home", {}, home, "/home/me/.cache/pulumi-ovn"],
    ["in the home where XDG_CACHE_HOME is empty", { XDG_CACHE_HOME: "" }, home, "/home/me/.cache/pulumi-ovn"],
    ["in XDG_CACHE_HOME", { XDG_CACHE_HOME: "/var/cache/me" }, home, "/var/cache/me/pulumi-ovn"],
    ["in the home where XDG_CACHE_HOME is relative", { XDG_CACHE_HOME: "~/.cache" }, home, "/home/me/.cache/pulumi-ovn"],
    ["none for a home that is empty", {}, () => "", undefined],
    ["none for a home that is relative", { XDG_CACHE_HOME: "cache" }, () => "me", undefined],
    ["none for a user without a home", {}, noHome, undefined],
    ["in XDG_CACHE_HOME for a user without a home", { XDG_CACHE_HOME: "/var/cache/me" }, noHome, "/var/cache/me/pulumi-ovn"],
  ])("is %s", (_, environment, of, folder) => expect(cacheIn(environment, of)).toBe(folder));
});
