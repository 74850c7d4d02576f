/**
 * Preloaded (NODE_OPTIONS) into the programs, providers and command lines that tests start: with it they take less than two
 * thirds of the processor time, for a Pulumi program spends half of its start on modules that nothing in a test uses.
 */
const { EventEmitter } = require("node:events");
const { readFileSync } = require("node:fs");
const Module = require("node:module");
const { join } = require("node:path");
const { lean } = require("./lean-modules.cjs");

/**
 * Pulumi looks into functions by a debugger's session. A process that is being debugged hears of each script that it loads, and a
 * tenth of a program's time goes there; so the session begins with the first question, and hears of all scripts then.
 */
class Later extends EventEmitter {
  #session;

  connect() {}

  post(method, ...rest) {
    if (!this.#session && method === "Debugger.enable") return rest.at(-1)(null, {});
    if (!this.#session) {
      const { Session } = require("node:inspector");
      this.#session = new Session();
      this.#session.connect();
      this.#session.on("inspectorNotification", (message) => this.emit(message.method, message));
      this.#session.post("Debugger.enable");
    }
    return this.#session.post(method, ...rest);
  }
}

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (request === "inspector" && parent?.filename?.endsWith("/@pulumi/pulumi/runtime/closure/v8Hooks.js")) return { Session: Later };
  return lean(request, parent?.filename, () => Reflect.apply(load, this, [request, parent, isMain]));
};

/** The language host that can be built from Go modules knows nothing of the project's options, and takes every program for TypeScript. */
function javascript() {
  try {
    return readFileSync(join(process.cwd(), "Pulumi.yaml"), "utf8").includes("typescript: false");
  } catch {
    return false; // no project: not a program of Pulumi's
  }
}
if (process.env.PULUMI_NODEJS_TYPESCRIPT === "true" && javascript()) process.env.PULUMI_NODEJS_TYPESCRIPT = "false";

/** See module-archive.cjs; the folder is there for one run of the suite. */
const kind = /\/@pulumi\/pulumi\/cmd\/(run|dynamic-provider)\/index\.js$|\/sdk\/bin\/(pulumi-ovn)\.js$|\/test\/support\/(killed-write)\.js$/.exec(process.argv[1])?.slice(1).find(Boolean);
if (kind && process.env.PULUMI_OVN_TEST_MODULES) require("./module-archive.cjs").archive(join(process.env.PULUMI_OVN_TEST_MODULES, kind));
