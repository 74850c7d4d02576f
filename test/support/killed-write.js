// One operation of a resource in a process of its own, for tests that kill the process. Standard input has the request.
const { handlers } = require("@pulumi-ovn/provider/tools");
const { Connections, targetsOf } = require("@pulumi-ovn/provider/targets");
// Usually written at the exit, which a killed process does not have.
require("node:module").flushCompileCache();

async function main() {
  const { kind, operation, request, targets } = JSON.parse(require("node:fs").readFileSync(0, "utf8"));
  const { zones, hosts } = targetsOf(targets, "test");
  const connections = new Connections(zones, hosts);
  await handlers[kind][operation]({ ...request, secrets: [], targets: connections });
  await connections.close();
}

void main().catch((error) => {
  console.error(error);
  process.exitCode = 1;
});
