/**
 * The modules of the processes that Pulumi starts in one file, with their names resolved and their code compiled. A program loads 700 of
 * them and a provider 800, and finding and opening so many files is a third of the processor time of their start. The first process of a
 * kind writes what it has loaded, the second how it is compiled, and all others take both.
 */
const { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const Module = require("node:module");
const { dirname, join } = require("node:path");
const { setFlagsFromString } = require("node:v8");
const { Script } = require("node:vm");

const [SOURCES, NAMES, CODE] = ["modules.js", "names.json", "code"];

/** A line by which a file says where its map is would be the archive's. */
const MAP = /^\/\/[#@] sourceMappingURL=.*$/gm;
/** What imports by itself finds files from where it is; and a character that is escaped already can't be once more. */
const APART = /\bimport\s*\(|\\[^\0-\xff]/;
/** Node keeps, and reads, a text without these in half of the space. */
const WIDE = /[^\0-\xff]/g;
const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** What stays as it is while the tests run: packages, and what was compiled. A stack's program does not. */
const lasts = (path) => /\/(?:node_modules|dist)\//.test(path);

const keyOf = (request, parent) => `${dirname(parent.filename)}\0${request}`;
const functionOf = ([name, source]) => `${JSON.stringify(name)}:function(exports,require,module,__filename,__dirname){${source.replace(/^#!.*/, "").replaceAll(MAP, "")}\n}`;

/** Remembers what is loaded; returns what writes it into a new folder. */
function record(folder) {
  const sources = new Map();
  const names = {};
  const { _compile: compile } = Module.prototype;
  Module.prototype._compile = function (source, filename, ...rest) {
    if (/\.c?js$/.test(filename) && lasts(filename) && !APART.test(source)) sources.set(filename, source);
    return Reflect.apply(compile, this, [source, filename, ...rest]);
  };
  const { _resolveFilename: resolve } = Module;
  Module._resolveFilename = function (request, parent, ...rest) {
    const found = Reflect.apply(resolve, this, [request, parent, ...rest]);
    if (parent?.filename && lasts(parent.filename) && lasts(found)) names[keyOf(request, parent)] = found;
    return found;
  };
  return () => {
    const own = `${folder}.${process.pid}`;
    mkdirSync(own);
    writeFileSync(join(own, SOURCES), `({${[...sources].map(functionOf).join(",\n")}})`.replaceAll(WIDE, escaped), "latin1");
    writeFileSync(join(own, NAMES), JSON.stringify(names));
    try {
      renameSync(own, folder);
    } catch {
      rmSync(own, { recursive: true }); // another process was first
    }
  };
}

/** Takes modules from the folder where it has them; returns what writes there how they are compiled, when that is not there yet. */
function use(folder, source) {
  const names = JSON.parse(readFileSync(join(folder, NAMES), "utf8"));
  const { _resolveFilename: resolve } = Module;
  Module._resolveFilename = function (request, parent, isMain, options) {
    const known = parent?.filename && !options ? names[keyOf(request, parent)] : undefined;
    return known ?? Reflect.apply(resolve, this, [request, parent, isMain, options]);
  };
  const cachedData = readIf(join(folder, CODE));
  // Not the file's own name: who asks for an error's place would look for its map in all of it.
  const script = new Script(source, { filename: SOURCES, cachedData });
  const functions = script.runInThisContext();
  const load = Module._extensions[".js"];
  let main;
  Module._extensions[".js"] = (module, filename) => {
    if (module.id === ".") main = module;
    const run = functions[filename];
    if (run === undefined) return load(module, filename);
    const require = (request) => module.require(request);
    require.resolve = (request, options) => Module._resolveFilename(request, module, false, options);
    Object.assign(require, { cache: Module._cache, extensions: Module._extensions, main });
    Reflect.apply(run, module.exports, [module.exports, require, module, filename, dirname(filename)]);
  };
  if (cachedData !== undefined) return undefined;
  return () => {
    const own = join(folder, `${CODE}.${process.pid}`);
    // Code is of use only where the flags are those with which it was written, and Pulumi sets this one in each program while it loads.
    setFlagsFromString("--no-allow-natives-syntax");
    writeFileSync(own, script.createCachedData());
    renameSync(own, join(folder, CODE));
  };
}

function readIf(path, encoding) {
  try {
    return readFileSync(path, encoding);
  } catch {
    return undefined; // nobody has written it yet
  }
}

/** Milliseconds from when a process has loaded its modules until it has worked with them. */
const WORKED = 50;

/** @param folder of this kind of process: what one of them loads, others do */
exports.archive = (folder) => {
  const source = readIf(join(folder, SOURCES), "latin1");
  let write = source === undefined ? record(folder) : use(folder, source);
  const done = () => {
    write?.();
    write = undefined;
  };
  process.once("exit", done);
  // A provider is killed; it says so when it has loaded everything.
  const { flushCompileCache: flush } = Module;
  Module.flushCompileCache = () => {
    flush();
    setTimeout(done, WORKED).unref();
  };
};
