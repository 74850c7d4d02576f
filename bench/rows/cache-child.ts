import { connect } from "@pulumi-ovn/ovsdb-client";

/** Fills a cache and prints how long it took and how much memory the process had at most. */
async function main(endpoint: string): Promise<void> {
  const start = performance.now();
  const client = await connect(endpoint, { database: "OVN_Northbound", timeout: 120_000 });
  const monitor = await client.monitor({ Logical_Switch_Port: {} });
  const milliseconds = performance.now() - start;
  const rows = [...monitor.tables.get("Logical_Switch_Port")!].length;
  console.log(JSON.stringify({ milliseconds, rows, megabytes: process.resourceUsage().maxRSS / 1024 }));
  await client.close();
}

void main(process.argv[2]!);
