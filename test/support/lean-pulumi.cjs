/**
 * Preloaded (NODE_OPTIONS) into the programs, providers and command lines that tests start: with it they take less than two
 * thirds of the processor time, for a Pulumi program spends half of its start on modules that nothing in a test uses.
 */
const { readFileSync } = require("node:fs");
const { Session } = require("node:inspector");
const Module = require("node:module");
const { join } = require("node:path");

/** What every process with Pulumi's package loads, for functions in a state and for programs that run Pulumi; and zod's messages in fifty languages. */
const OBJECTS = new Set(["typescript", "@npmcli/arborist", "./automation", "../locales/index.cjs"]);
/** Functions in a state once more: a module that is a function itself. */
const FUNCTION = "normalize-package-data";
/** The same for tracing; it is asked for classes and functions alone, and for these at once. */
const FUNCTIONS = new Set(["@opentelemetry/resources", "@opentelemetry/sdk-trace-base", "@opentelemetry/exporter-zipkin",
  "@opentelemetry/instrumentation-grpc", "@opentelemetry/sdk-trace-node", "@opentelemetry/instrumentation"]);

/** A module that is loaded when something of it is first looked at. */
function object(loaded) {
  // Compiled imports ask for __esModule first: with it they take this as it is instead of copying every export.
  return new Proxy({}, { get: (_, name) => name === "__esModule" || loaded()[name], has: (_, name) => name in loaded() });
}

/** A module that is loaded when something of it is first called. */
function functions(loaded) {
  const named = (name) => new Proxy(class {}, { apply: (_, self, args) => Reflect.apply(loaded()[name], self, args), construct: (_, args) => Reflect.construct(loaded()[name], args) });
  return new Proxy({}, { get: (_, name) => named(name) });
}

/** A function that is loaded when it is first called. */
const called = (loaded) => (...args) => loaded()(...args);

/**
 * Pulumi looks into functions by a debugger's session. A process that is being debugged hears of each script that it loads, and a
 * tenth of a program's time goes there; so the session begins with the first question, and hears of all scripts then.
 */
class Later extends Session {
  #begun = false;

  connect() {}

  post(method, ...rest) {
    if (!this.#begun && method === "Debugger.enable") return rest.at(-1)(null, {});
    if (!this.#begun) {
      this.#begun = true;
      super.connect();
      super.post("Debugger.enable");
    }
    return super.post(method, ...rest);
  }
}

const load = Module._load;
Module._load = function (request, parent, isMain) {
  if (request === "inspector" && parent?.filename?.endsWith("/@pulumi/pulumi/runtime/closure/v8Hooks.js")) return { Session: Later };
  const way = OBJECTS.has(request) ? object : FUNCTIONS.has(request) ? functions : request === FUNCTION ? called : undefined;
  const now = () => Reflect.apply(load, this, [request, parent, isMain]);
  if (!way || !/\/(?:@pulumi\/pulumi|zod)\//.test(parent?.filename)) return now();
  let module;
  return way(() => (module ??= now()));
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
