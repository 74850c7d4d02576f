const { default: Runtime } = require("jest-runtime");
const { dirname, join, sep } = require("node:path");
const { lean } = require("./lean-modules.cjs");

const root = join(__dirname, "../..") + sep;
/** Of this repository and its packages, which stay as they are while the tests run: these write elsewhere. */
const lasts = (path) => path.startsWith(root);

/** What files hold, by path. */
class Sources extends Map {
  clear() {
    for (const path of this.keys()) if (!lasts(path)) this.delete(path);
  }
}

/** What a worker has learnt of files; configurations may have files compiled and found in different ways. */
const fresh = () => ({ sources: new Sources(), transformed: new Map(), resolved: new Map() });
const known = new Map();
const knownOf = ({ id }) => {
  if (!known.has(id)) known.set(id, fresh());
  return known.get(id);
};

/**
 * Jest reads, compiles and looks for each module anew in each file of tests. Here each worker does so once, and a file of tests
 * evaluates modules of its own as ever; but what hardly anything uses of Pulumi's package and zod it evaluates when it uses it.
 */
module.exports = class extends Runtime {
  constructor(config, environment, resolver, transformer, sources, coverage, path, global) {
    const { sources: kept, transformed, resolved } = global.watch || global.watchAll ? fresh() : knownOf(config);
    for (const [file, source] of sources) kept.set(file, source);
    super(config, environment, resolver, transformer, kept, coverage, path, global);
    const { transformCache, _resolution: resolution } = this;
    const { transform } = transformCache;
    transformCache.transform = (file, options) => {
      if (options !== undefined || !lasts(file)) return Reflect.apply(transform, transformCache, [file, options]);
      if (!transformed.has(file)) {
        Reflect.apply(transform, transformCache, [file, options]);
        transformed.set(file, transformCache.transforms.get(file));
      }
      const { code, sourceMapPath } = transformed.get(file);
      transformCache.transforms.set(file, transformed.get(file));
      if (sourceMapPath) transformCache.sourceMaps.set(file, sourceMapPath);
      return code;
    };
    const { resolveCjs } = resolution;
    resolution.resolveCjs = (from, to) => {
      const key = `${dirname(from)}\0${to}`;
      if (resolved.has(key)) return resolved.get(key);
      const found = Reflect.apply(resolveCjs, resolution, [from, to]);
      if (to && lasts(found)) resolved.set(key, found);
      return found;
    };
  }

  requireModuleOrMock(from, name) {
    return lean(name, from, () => super.requireModuleOrMock(from, name));
  }
};
