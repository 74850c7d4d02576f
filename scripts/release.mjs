// `npm run release -- FOLDER`: the packages of the current commit, built twice in fresh clones and equal byte by byte, each with a
// software bill of materials (CycloneDX), and one statement of provenance (in-toto, SLSA) over all. Publishing is another step.
import { createHash } from "node:crypto";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { billOf } from "./bill-of-materials.mjs";
import { root } from "./bootstrap.mjs";

const json = (path) => JSON.parse(readFileSync(path, "utf8"));
const sha256 = (bytes) => createHash("sha256").update(bytes).digest("hex");
const run = (file, args, cwd) => execFileSync(file, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 1 << 28 });
const git = (...args) => run("git", args, root).trim();

/** Workspaces that are published. */
const published = (folder) => json(join(folder, "package.json")).workspaces.filter((name) => json(join(folder, name, "package.json")).private !== true);

/** Files that a package may have, in addition to compiled code without source maps. */
const ALLOWED = /^(?:dist\/.*\.(?:js|d\.ts)|bin\/[^/]+\.js|systemd\/[^/]+\.service|PulumiPolicy\.yaml|LICENSE|README\.md|package\.json)$/;

/**
 * Packs the published workspaces of a compiled checkout.
 *
 * @returns the tarballs' file names by workspace
 * @throws Error for a file that no package should have, or that names the checkout's folder
 */
export const pack = (checkout, folder) => {
  mkdirSync(folder, { recursive: true });
  const names = published(checkout);
  const packed = Object.values(
    JSON.parse(
      run("npm", ["pack", "--json", "--loglevel=error", "--pack-destination", resolve(folder), ...names.map((name) => `--workspace=${name}`)], checkout),
    ),
  );
  return new Map(
    names.map((name) => {
      const { files, filename } = packed.find((entry) => entry.name === json(join(checkout, name, "package.json")).name);
      for (const { path } of files) {
        if (!ALLOWED.test(path)) throw new Error(`${filename} has ${path}, which no package should have`);
        if (readFileSync(join(checkout, name, path), "utf8").includes(checkout)) throw new Error(`${filename}: ${path} names the folder that it was built in`);
      }
      return [name, filename];
    }),
  );
};

/** Fails unless two folders have the same files, byte by byte. */
export const same = (one, other) => {
  const names = new Set([...readdirSync(one), ...readdirSync(other)]);
  const differing = [...names].filter((name) => {
    const [left, right] = [join(one, name), join(other, name)];
    return !existsSync(left) || !existsSync(right) || !readFileSync(left).equals(readFileSync(right));
  });
  if (differing.length > 0) throw new Error(`two builds of one commit differ: ${differing.sort().join(", ")}`);
};

/** Writes a bill of materials next to each tarball, the statement of provenance and the list of digests. */
export const describe = (checkout, folder, tarballs, commit) => {
  const digests = [...tarballs.values()].map((name) => ({ name, digest: { sha256: sha256(readFileSync(join(folder, name))) } }));
  const whole = JSON.parse(run("npm", ["sbom", "--sbom-format=cyclonedx", "--loglevel=error"], checkout));
  const lock = json(join(checkout, "package-lock.json"));
  for (const [workspace, tarball] of tarballs) {
    const { name, version } = json(join(checkout, workspace, "package.json"));
    const bill = billOf(whole, lock, `${name}@${version}`);
    writeFileSync(join(folder, tarball.replace(/\.tgz$/, ".cdx.json")), `${JSON.stringify(bill, undefined, 2)}\n`);
  }
  const source = json(join(checkout, "sdk/package.json")).repository.url;
  const statement = {
    _type: "https://in-toto.io/Statement/v1",
    subject: digests,
    predicateType: "https://slsa.dev/provenance/v1",
    predicate: {
      buildDefinition: {
        buildType: `${source}#scripts/release.mjs`,
        externalParameters: { commit },
        resolvedDependencies: [
          { uri: source, digest: { gitCommit: commit } },
          { uri: "package-lock.json", digest: { sha256: sha256(readFileSync(join(checkout, "package-lock.json"))) } },
        ],
      },
      runDetails: { builder: { id: process.env.GITHUB_WORKFLOW_REF ?? "local" } },
    },
  };
  writeFileSync(join(folder, "provenance.intoto.json"), `${JSON.stringify(statement, undefined, 2)}\n`);
  writeFileSync(join(folder, "SHA256SUMS"), digests.map(({ name, digest }) => `${digest.sha256}  ${name}\n`).join(""));
};

/** Builds a commit in a fresh clone; returns the clone and its tarballs. */
const built = (commit, temporary, name) => {
  const checkout = join(temporary, name);
  run("git", ["clone", "--quiet", root, checkout], temporary);
  run("git", ["checkout", "--quiet", "--detach", commit], checkout);
  run("npm", ["ci", "--no-audit", "--no-fund", "--loglevel=error"], checkout);
  run(process.execPath, [join(checkout, "node_modules/typescript/bin/tsc"), "--build"], checkout);
  const folder = join(temporary, `${name}-packed`);
  return { checkout, folder, tarballs: pack(checkout, folder) };
};

/** @returns a line for the person who started it */
export const release = ([name]) => {
  if (name === undefined) throw new Error("usage: npm run release -- FOLDER");
  const target = resolve(process.env.INIT_CWD ?? ".", name); // npm changes the working directory
  if (existsSync(target)) throw new Error(`${target} exists already`);
  if (git("status", "--porcelain") !== "") throw new Error("uncommitted changes: a release is made of a commit");
  const commit = git("rev-parse", "HEAD");
  const temporary = mkdtempSync(join(tmpdir(), "pulumi-ovn-release-"));
  try {
    const [first, second] = ["first", "second"].map((clone) => built(commit, temporary, clone));
    same(first.folder, second.folder);
    mkdirSync(target, { recursive: true });
    for (const file of readdirSync(first.folder)) writeFileSync(join(target, file), readFileSync(join(first.folder, file)));
    describe(first.checkout, target, first.tarballs, commit);
    return `wrote ${first.tarballs.size} packages of ${commit.slice(0, 12)} to ${target}: two builds are equal`;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
};
