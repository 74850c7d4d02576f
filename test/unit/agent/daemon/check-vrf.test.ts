import { convergeOnce, type DaemonOptions, dryRun, runDaemon, withdraw } from "@pulumi-ovn/agent";

const options: DaemonOptions = {
  openvswitch: "unix:/nowhere/db.sock",
  vrf: "blue table 254\nlink set lo",
  listen: { host: "127.0.0.1", port: 0 },
  log: () => undefined,
  signal: new AbortController().signal,
};

test.each<[string, (options: DaemonOptions) => Promise<unknown>]>([
  ["the daemon", runDaemon],
  ["one round", convergeOnce],
  ["the withdrawal", withdraw],
  ["a dry run", dryRun],
])("%s refuses an invalid VRF name before it connects", async (_, run) => {
  await expect(run(options)).rejects.toMatchObject({
    code: "OVN_AGENT_VRF_NAME",
    message:
      'vrf "blue table 254\\nlink set lo": expected the name of a device: 1 to 15 letters, digits, "_", "-" and ".", not first one of the last two, and not "all", "default" or "route-map"',
  });
});
