/** Modules that Pulumi's package and zod load at once and that hardly anything uses, loaded when something uses them; and without what tests do not need. */

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
 * What reads functions asks V8 for a syntax that it had before Node 11. Nothing uses it any more, and after a flag has changed V8 compiles
 * all of Node's own modules anew, whose code Node brings with it, and takes no code that the archive of modules has. What keeps the young
 * generation small changes one, too, and the networks of tests are small.
 */
const FLAGGING = /\/@pulumi\/pulumi\/runtime\/closure\/|\/young-heap\.js$/;
const FLAGS = { setFlagsFromString: () => undefined };

const stackless = new WeakSet();

/** Pulumi notes where each promise was made, to say so of those that are left when it is told to; a stack with the places of sources takes time. */
function withoutStacks(debuggable) {
  if (process.env.PULUMI_DEBUG_PROMISE_LEAKS || stackless.has(debuggable)) return debuggable;
  stackless.add(debuggable);
  const { debuggablePromise } = debuggable;
  debuggable.debuggablePromise = (...promise) => {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    try {
      return debuggablePromise(...promise);
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  };
  return debuggable;
}

/**
 * @param request what is asked for
 * @param filename of the module that asks
 * @param load loads it
 * @returns the module, or what loads it later
 */
exports.lean = (request, filename, load) => {
  if (/^(?:node:)?v8$/.test(request) && FLAGGING.test(filename)) return FLAGS;
  if (/^\.\.?\/(?:runtime\/)?debuggable$/.test(request) && /\/@pulumi\/pulumi\//.test(filename)) return withoutStacks(load());
  const way = OBJECTS.has(request) ? object : FUNCTIONS.has(request) ? functions : request === FUNCTION ? called : undefined;
  if (!way || !/\/(?:@pulumi\/pulumi|zod)\//.test(filename)) return load();
  let module;
  return way(() => (module ??= load()));
};
