// `node scripts/run.mjs COMMAND ...`: every command of this repository, in a fresh clone too.
// It runs on Node 18 with nothing installed: it installs, builds, and continues with the project's own Node.
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, install, projectNode, root } from "./bootstrap.mjs";
import { release } from "./release.mjs";
import { kindLists } from "./kinds.mjs";
import { checkSources, test } from "./test.mjs";
import { vendor } from "./vendor.mjs";

/** Projects to build before a command, and its program. */
const commands = {
  example: { projects: [], program: "sandbox/dist/commands/example.js" },
  quickstart: { projects: [], program: "sandbox/dist/commands/quickstart.js" },
  pulumi: { projects: [], program: "sandbox/dist/commands/pulumi.js" },
  "pulumi-ovn": { projects: [], program: "sandbox/dist/commands/pulumi-ovn.js" },
  sandbox: { projects: ["sandbox"], program: "sandbox/dist/commands/sandbox.js" },
  bench: { projects: [], program: "bench/dist/index.js" },
  docs: { projects: [], program: "docs/generator/dist/index.js" },
  test: { projects: [] },
  vendor: { projects: [] },
  release: { projects: [] },
};

const main = async () => {
  const [name, ...args] = process.argv.slice(2);
  const command = commands[name];
  if (command === undefined) throw new Error(`usage: node scripts/run.mjs ${Object.keys(commands).join("|")} ...`);
  await install();
  if (Number(process.versions.node.split(".")[0]) < 24) {
    // The same command again, now on the Node that the installation brought.
    const { status, signal } = spawnSync(projectNode, process.argv.slice(1), { stdio: "inherit" });
    return status ?? (signal ? 1 : 0);
  }
  if (name === "docs") for (const [path, text] of Object.entries(kindLists(root))) writeFileSync(join(root, path), text);
  const checking = name === "test" ? checkSources() : undefined;
  if (!(await build(command.projects))) {
    if (checking !== undefined) {
      await checking; // its output precedes the count
      console.log("0 passed, 1 failed");
    }
    return 1;
  }
  if (checking !== undefined) return test(args, checking);
  if (name === "vendor" || name === "release") {
    console.log((name === "vendor" ? vendor : release)(args));
    return 0;
  }
  process.argv.splice(1, Infinity, join(root, command.program), ...args);
  createRequire(import.meta.url)(process.argv[1]);
  return undefined; // the program sets its own exit status
};

main().then(
  (code) => {
    if (code !== undefined) process.exitCode = code;
  },
  (error) => {
    console.error(`error: ${error.message}`);
    if (process.argv[2] === "test") console.log("0 passed, 1 failed");
    process.exitCode = 1;
  },
);
