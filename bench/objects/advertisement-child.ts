import { generateFrrConfigurations } from "@pulumi-ovn/provider";
import { advertisedCluster, SPEC } from "./advertised-cluster";

const facts = advertisedCluster(1_000, 3);
const start = performance.now();
const { objects } = generateFrrConfigurations(SPEC, facts);
const milliseconds = performance.now() - start;
console.log(JSON.stringify({ milliseconds, objects: objects.length, megabytes: process.resourceUsage().maxRSS / 1024 }));
