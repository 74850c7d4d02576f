// Installs what a fresh clone lacks: npm packages (with Node 24) and compiled JavaScript.
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
export const projectNode = join(root, "node_modules/.bin/node");

/** Runs a program with its output on standard error, and reports progress every 15 seconds. Returns the exit status. */
const run = (title, file, args) =>
  new Promise((resolve, reject) => {
    const started = Date.now();
    const seconds = () => `${((Date.now() - started) / 1000).toFixed(1)} s`;
    console.error(`> ${title}`);
    const child = spawn(file, args, { cwd: root, stdio: ["ignore", 2, 2] });
    const timer = setInterval(() => console.error(`    ${seconds()}`), 15_000);
    child.once("error", (error) => {
      clearInterval(timer);
      reject(error);
    });
    child.once("close", (code) => {
      clearInterval(timer);
      console.error(`    ${code === 0 ? "done in" : "failed after"} ${seconds()}`);
      resolve(code ?? 1);
    });
  });

const packagesOf = (path) => {
  try {
    return JSON.parse(readFileSync(path, "utf8")).packages;
  } catch {
    return undefined; // not there, or half written
  }
};

/** Whether node_modules matches the lock file, according to npm's own record. */
export const isInstalled = (folder) => {
  const wanted = packagesOf(join(folder, "package-lock.json"));
  const present = packagesOf(join(folder, "node_modules/.package-lock.json"));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith("node_modules/")) return true; // the workspaces themselves
    const found = present[path];
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
};

/** Installs the npm packages if they do not match the lock file. */
export const install = async () => {
  if (Number(process.versions.node.split(".")[0]) < 18) throw new Error(`Node ${process.versions.node} is too old to start with: install Node 18 or newer`);
  if (isInstalled(root) && existsSync(projectNode)) return;
  const npm = process.env.npm_execpath;
  const [file, args] = npm === undefined ? ["npm", []] : [process.execPath, [npm]];
  const code = await run("Install npm packages (npm ci)", file, [...args, "ci", "--no-audit", "--no-fund", "--loglevel=error"]);
  if (code !== 0) throw new Error("npm ci failed; see its messages above");
};

const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true }).reduce((latest, entry) => {
    if (entry.isDirectory()) return entry.name === "dist" || entry.name === "node_modules" ? latest : Math.max(latest, newest(join(folder, entry.name)));
    return /\.ts$|\.json$/.test(entry.name) ? Math.max(latest, statSync(join(folder, entry.name)).mtimeMs) : latest;
  }, 0);

/** Removes compiled files of deleted sources: they would still be found and packed. */
export const prune = (folder, below = "") => {
  const dist = join(folder, "dist", below);
  for (const entry of existsSync(dist) ? readdirSync(dist, { withFileTypes: true }) : []) {
    if (entry.isDirectory()) prune(folder, join(below, entry.name));
    const compiled = /^(.+?)\.(?:js|d\.ts)(\.map)?$/.exec(entry.name);
    if (compiled !== null && (compiled[2] || !existsSync(join(folder, below, `${compiled[1]}.ts`)))) rmSync(join(dist, entry.name));
  }
};

/** Written after a compilation without errors: tsc's own record is there after one with errors too. */
const stampOf = (folder) => join(folder, "dist/.built");

/** Whether a project was compiled without errors since its sources changed. Asking tsc takes ten times as long. */
export const isBuilt = (folder) => {
  const stamp = statSync(stampOf(folder), { throwIfNoEntry: false });
  return stamp !== undefined && stamp.mtimeMs >= newest(folder);
};

const allProjects = () => JSON.parse(readFileSync(join(root, "tsconfig.json"), "utf8")).references.map((reference) => reference.path);

/** Compiles what is out of date of the projects, all by default; resolves to whether that worked. */
export const build = async (projects) => {
  const wanted = (projects.length === 0 ? allProjects() : projects).map((project) => join(root, project));
  if (wanted.every(isBuilt)) return true;
  wanted.forEach((folder) => prune(folder));
  const started = new Date(); // what changes while tsc reads is not in its output for sure
  if ((await run("Compile TypeScript", process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--build", ...projects])) !== 0) return false;
  for (const folder of wanted) {
    writeFileSync(stampOf(folder), "");
    utimesSync(stampOf(folder), started, started);
  }
  return true;
};
