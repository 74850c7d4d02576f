import { spawnSync } from "node:child_process";

/** Whether this machine's kernel makes VRF devices: many a container host's does not. */
export const hasVrf = spawnSync("unshare", ["--user", "--map-root-user", "--net", "ip", "link", "add", "vrf-test", "type", "vrf", "table", "5"]).status === 0;
