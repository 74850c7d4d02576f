import { existsSync } from "node:fs";
import { type Central, startCentral } from "@pulumi-ovn/sandbox";

let central: Central;
beforeEach(async () => {
  central = await startCentral();
});
afterEach(() => central.stop());

const nbctl = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await central.run("ovn-nbctl", args, { timeout: 10_000 });
  expect([code, stderr]).toEqual([0, ""]);
  return stdout;
};

test("northd translates the contents of the Northbound database", async () => {
  await nbctl("--wait=sb", "ls-add", "net");
  const { stdout } = await central.run("ovn-sbctl", ["--bare", "--columns=external_ids", "list", "Datapath_Binding"]);
  expect(stdout).toContain("name=net");
});

test("a killed database has its contents after the next start", async () => {
  await nbctl("ls-add", "net");
  const before = central.pid("northbound");
  await central.kill("northbound");
  expect(central.pid("northbound")).toBeUndefined();
  const refused = await central.run("ovn-nbctl", ["--timeout=1", "ls-list"]);
  expect(refused.code).not.toBe(0);
  await central.start("northbound");
  expect(central.pid("northbound")).not.toBe(before);
  expect(await nbctl("--bare", "--columns=name", "list", "Logical_Switch")).toBe("net\n");
  await nbctl("--wait=sb", "ls-add", "other"); // northd has found the way back
});

test("a running daemon can't be started again", async () => {
  await expect(central.start("southbound")).rejects.toThrow(expect.objectContaining({ code: "running" }));
});

test("after the stop no process and no folder exists", async () => {
  const pids = (["northbound", "southbound", "northd"] as const).map((daemon) => central.pid(daemon)!);
  expect(pids.every((pid) => existsSync(`/proc/${pid}`))).toBe(true);
  await central.stop();
  expect(pids.filter((pid) => existsSync(`/proc/${pid}`))).toEqual([]);
  expect(existsSync(central.folder)).toBe(false);
});

test("northd is omitted on request, and a second server has its own folder", async () => {
  await using alone = await startCentral({ northd: false, northboundRemotes: ["ptcp:0:127.0.0.1"] });
  expect(alone.pid("northd")).toBeUndefined();
  expect(alone.folder).not.toBe(central.folder);
  const { code } = await alone.run("ovn-nbctl", ["ls-add", "net"]);
  expect(code).toBe(0);
  expect(await nbctl("ls-list")).toBe("");
});
