// `npm run vendor -- FOLDER [WORKSPACE]`: one tarball in FOLDER/vendor, and the dependency on it in FOLDER/package.json.
// The tarball holds a workspace and the workspaces that it needs, as one flat package: npm, pnpm and yarn each treat
// bundled dependencies differently. Third-party packages stay dependencies.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, posix, resolve } from "node:path";
import { root } from "./bootstrap.mjs";

const json = (path) => JSON.parse(readFileSync(path, "utf8"));

const npm = (args, cwd) => {
  const cli = process.env.npm_execpath;
  const [file, first] = cli === undefined ? ["npm", []] : [process.execPath, [cli]];
  const text = execFileSync(file, [...first, "pack", "--json", "--loglevel=error", ...args], { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  return Object.values(JSON.parse(text));
};

/** Workspaces by the name of their package. */
const workspaces = () =>
  new Map(
    json(join(root, "package.json")).workspaces.map((folder) => {
      const manifest = json(join(root, folder, "package.json"));
      return [manifest.name, { folder, manifest }];
    }),
  );

/** A package and all packages of this repository that it needs; the package itself is the first. */
const needed = (name, all, found = new Map()) => {
  if (found.has(name)) return found;
  found.set(name, all.get(name));
  for (const dependency of Object.keys(all.get(name).manifest.dependencies ?? {})) if (all.has(dependency)) needed(dependency, all, found);
  return found;
};

/** Entry points of a package below `prefix`, with the files that they name. */
const entries = ({ main, types, exports }, prefix) =>
  Object.entries(exports ?? { ".": { types: `./${types}`, default: `./${main}` } }).map(([key, target]) => {
    const at = (path) => `./${posix.join(prefix, path)}`;
    return [key, typeof target === "string" ? at(target) : { types: at(target.types), default: at(target.default) }];
  });

/** The flat package's manifest, and the file of each specifier that its files import from another workspace. */
const flat = (packages) => {
  const [[name, { manifest }], ...inner] = packages;
  const exports = Object.fromEntries(entries(manifest, "."));
  const [bin, dependencies, files] = [{ ...manifest.bin }, { ...manifest.dependencies }, new Map()];
  for (const [other, { folder, manifest: own }] of inner) {
    for (const [key, target] of entries(own, folder)) {
      // The flat package has one manifest.
      const found = key === "./package.json" ? "./package.json" : target;
      if (found === target) exports[`./${posix.join(folder, key)}`] = found;
      files.set(posix.join(other, key), found);
    }
    for (const [command, path] of Object.entries(own.bin ?? {})) bin[command] = `./${posix.join(folder, path)}`;
    Object.assign(dependencies, own.dependencies);
  }
  for (const other of packages.keys()) delete dependencies[other];
  const { version, description, license, repository, homepage, bugs, main, types, engines } = manifest;
  return { manifest: { name, version, description, license, repository, homepage, bugs, main, types, exports, bin, engines, dependencies }, files };
};

/** Replaces imports of other workspaces by relative ones. */
const relinked = (text, path, files) =>
  text.replace(/(\brequire\(|\bimport\(|\bfrom |\bimport )"(@pulumi-ovn\/[^"]+)"/g, (_, before, specifier) => {
    const target = files.get(specifier);
    if (target === undefined) throw new Error(`${path} imports ${specifier}, which the tarball does not have`);
    const file = typeof target === "string" ? target : path.endsWith(".d.ts") ? target.types.replace(/\.d\.ts$/, "") : target.default;
    const relative = posix.relative(posix.dirname(path), posix.normalize(file));
    return `${before}"${relative.startsWith(".") ? relative : `./${relative}`}"`;
  });

/** Writes the flat package of a workspace to an empty folder. */
const stage = (name, folder) => {
  const packages = needed(name, workspaces());
  const { manifest, files } = flat(packages);
  const packed = npm(["--dry-run", ...[...packages.values()].map(({ folder: workspace }) => `--workspace=${workspace}`)], root);
  for (const { name: specifier, files: contents } of packed) {
    const from = packages.get(specifier).folder;
    const to = specifier === name ? "." : from;
    for (const { path } of contents) {
      const target = posix.join(to, path);
      if (path === "package.json" || (to !== "." && !path.includes("/"))) continue;
      mkdirSync(dirname(join(folder, target)), { recursive: true });
      if (/\.(?:js|d\.ts)$/.test(path)) writeFileSync(join(folder, target), relinked(readFileSync(join(root, from, path), "utf8"), target, files));
      else cpSync(join(root, from, path), join(folder, target));
    }
  }
  writeFileSync(join(folder, "package.json"), `${JSON.stringify(manifest, undefined, 2)}\n`);
};

/** Sets a dependency; the file keeps its indentation. */
const depend = (path, name, on) => {
  const text = existsSync(path) ? readFileSync(path, "utf8") : '{\n  "private": true\n}\n';
  const manifest = JSON.parse(text);
  const dependencies = { ...manifest.dependencies, [name]: on };
  writeFileSync(path, `${JSON.stringify({ ...manifest, dependencies }, undefined, /^[ \t]+/m.exec(text)?.[0] ?? 2)}\n`);
};

/** Returns what it did, as one line. */
export const vendor = ([folder, workspace = "sdk", ...rest]) => {
  const found = [...workspaces()].find(([, { folder: path, manifest }]) => path === workspace && !manifest.private);
  if (folder === undefined || found === undefined || rest.length > 0) throw new Error("usage: npm run vendor -- FOLDER [sdk|agent|ovsdb-client]");
  const project = resolve(process.env.INIT_CWD ?? ".", folder);
  if (!existsSync(project)) throw new Error(`${project} does not exist: create the project first`);
  const place = join(project, "vendor");
  const temporary = mkdtempSync(join(tmpdir(), "pulumi-ovn-vendor-"));
  try {
    mkdirSync(join(temporary, "package"));
    stage(found[0], join(temporary, "package"));
    const [{ filename, version }] = npm(["--pack-destination", temporary], join(temporary, "package"));
    // A new name for new contents: lock files and yarn's cache take the same name for the same contents.
    const [stem, bytes] = [filename.replace(/\.tgz$/, ""), readFileSync(join(temporary, filename))];
    const name = `${stem}-${createHash("sha256").update(bytes).digest("hex").slice(0, 8)}.tgz`;
    mkdirSync(place, { recursive: true });
    const former = new RegExp(`^${stem.slice(0, -version.length)}\\d.*\\.tgz$`);
    for (const file of readdirSync(place)) if (former.test(file)) rmSync(join(place, file));
    writeFileSync(join(place, name), bytes);
    depend(join(project, "package.json"), found[0], `file:vendor/${name}`);
    return `wrote vendor/${name} and the dependency "${found[0]}" in ${join(project, "package.json")}; install next, then commit vendor/ and the lock file`;
  } finally {
    rmSync(temporary, { recursive: true });
  }
};
