import { logKey, readLog } from "@pulumi-ovn/cli/testing";

// As printed by ovsdb-tool 3.5.0.
const LOG = `record 0: "OVN_Northbound" schema, version="7.11.0", cksum="2520708261 39034"

record 1: 2026-11-24 19:09:11.628 "ovn-nbctl: ovn-nbctl ls-add sw -- lsp-add sw p1"
  table NB_Global insert row ee1b23e1:
  table Logical_Switch insert row "sw" (436468be):
    name=sw
    ports=[ef02300c-630d-435a-b8ab-1f4625406bd3]
  table Logical_Switch_Port insert row "p1" (ef02300c):
    name=p1

record 2: 2026-11-24 19:09:11.653 "ovn-nbctl: ovn-nbctl set logical_switch_port p1 tag=5"
  table Logical_Switch_Port row "p1" (ef02300c) diff:
    tag=5

record 3: 2026-11-24 19:09:11.666
  table Logical_Switch row "sw" (436468be) diff:
    other_config={a=b, c="x y"}

record 4: 2026-11-24 19:09:11.679 "ovn-nbctl: ovn-nbctl lsp-del p1"
  table Logical_Switch row "sw" (436468be) diff:
    ports=[ef02300c-630d-435a-b8ab-1f4625406bd3]
  table Logical_Switch_Port row "p1" (ef02300c) diff:
    delete row
`;

it("reads the last write of each row and of each column", async () => {
  const writes = await readLog(LOG.split("\n"));
  const [port, router] = ["ef02300c-630d-435a-b8ab-1f4625406bd3", "436468be-0000-4000-8000-000000000000"];
  const deleted = { time: "2026-11-24 19:09:11", comment: "ovn-nbctl: ovn-nbctl lsp-del p1" };
  expect(writes.get(logKey("Logical_Switch_Port", port))).toEqual(deleted);
  expect(writes.get(logKey("Logical_Switch_Port", port, "tag"))?.comment).toBe("ovn-nbctl: ovn-nbctl set logical_switch_port p1 tag=5");
  expect(writes.get(logKey("Logical_Switch", router, "ports"))).toEqual(deleted);
  expect(writes.get(logKey("Logical_Switch", router, "other_config"))).toEqual({ time: "2026-11-24 19:09:11", comment: undefined });
  expect(writes.get(logKey("Logical_Switch", router, "name"))?.comment).toBe("ovn-nbctl: ovn-nbctl ls-add sw -- lsp-add sw p1");
  expect(writes.get(logKey("NB_Global", "ee1b23e1-"))?.comment).toBe("ovn-nbctl: ovn-nbctl ls-add sw -- lsp-add sw p1");
  expect(writes.get(logKey("Logical_Switch_Port", router))).toBeUndefined();
});
