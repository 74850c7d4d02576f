import { writeFileSync } from "node:fs";
import { stateOf } from "../../support/example-state";
const NAMES = ["quickstart", "access-control", "dual-stack", "egress-ip", "live-migration", "node-local", "route-advertisement", "upgrade", "vpc", "bgp-exposure"];
test.each(NAMES)("%s", async (name) => {
    const resources = await stateOf(() => void require(`../../../examples/${name}/index`), { TunnelKeyPool: { keys: { blue: [16_715_779, 16_715_780], shop: [16_715_779, 16_715_780], green: [16_715_779, 16_715_780], violet: [16_715_781, 16_715_782] } } });
    writeFileSync(`/tmp/picwork/${name}.json`, JSON.stringify(resources, null, 1));
});
