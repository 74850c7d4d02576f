import { importZones } from "@pulumi-ovn/cli/import";

/** Imports one zone and prints how long it took and how much memory the process had at most. */
async function main(northbound: string): Promise<void> {
  const start = performance.now();
  const { resources } = await importZones({ zone: { northbound } }, ["zone"], {
    project: "bench",
    stack: "dev",
    providerText: (kind) => `exports.handler=()=>require("pulumi-ovn/runtime").provider("${kind}")`,
  });
  const seconds = (performance.now() - start) / 1000;
  console.log(JSON.stringify({ seconds, resources, megabytes: process.resourceUsage().maxRSS / 1024 }));
}

void main(process.argv[2]!);
