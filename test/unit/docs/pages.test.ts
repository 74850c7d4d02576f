import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pages } from "../../../docs/generator/pages";
import { rowLinesOf } from "../../../docs/generator/preview";
import * as sdk from "pulumi-ovn";

const root = join(__dirname, "../../..");
const folder = join(root, "docs/reference/resources");
let made: Map<string, string>;
beforeAll(async () => {
  made = await pages(root);
});

it("has fresh pages: run `npm run docs` after a change of arguments, comments or rows", () => {
  expect(readdirSync(folder).sort()).toEqual([...made.keys()].sort());
  for (const [file, text] of made) expect({ file, text: readFileSync(join(folder, file), "utf8") }).toEqual({ file, text });
});

it("has a page for every class that a stack can make", () => {
  // A former name has no page of its own.
  const classes = Object.entries(sdk).filter(
    ([name, value]) => typeof value === "function" && value.name === name && !/Error$|^(Flow|Object|Ovn|Row)Resource$|^[a-z]/.test(name),
  );
  expect([...made.keys()].filter((file) => !["README.md", "shared.md"].includes(file)).sort()).toEqual(classes.map(([name]) => `${name}.md`).sort());
});

it("documents every argument and output", () => {
  const silent = memberLines().filter((line) => /^[\w.]+: - `\w+` \([^:]*\)$/.test(line));
  expect(silent).toEqual([]);
});

it("has whole sentences: TypeScript ends a comment at a name such as @pulumi/pulumi that is not in backquotes", () => {
  expect(memberLines().filter((line) => / [a-z]+$/.test(line))).toEqual([]);
});

/** Lines of arguments, outputs and properties of types. */
function memberLines(): string[] {
  const lines = [...made].flatMap(([file, text]) =>
    text
      .split("\n")
      .filter((line) => line.startsWith("- `"))
      .map((line) => `${file}: ${line}`),
  );
  expect(lines.length).toBeGreaterThan(300);
  return lines;
}

it("shows the rows of a sample as a preview does, and refuses a sample that the provider refuses", async () => {
  expect(await rowLinesOf("RemoteChassis", { zone: "node1", chassis: { h2: { addresses: ["198.18.0.2"] } } })).toEqual({
    "Chassis h2": 'hostname=h2 other_config:is-remote=true encaps="h2 geneve"',
    "Encap h2 geneve": "type=geneve ip=198.18.0.2 chassis_name=h2 options:csum=true",
  });
  await expect(rowLinesOf("RemoteChassis", { zone: "node1", chassis: {} })).rejects.toThrow(
    "the sample of RemoteChassis is refused: chassis: needs at least one chassis [required]",
  );
});

function markdown(at: string): string[] {
  return readdirSync(join(root, at), { withFileTypes: true }).flatMap((entry) => {
    if (["node_modules", "dist", ".git", ".sandbox"].includes(entry.name)) return [];
    if (entry.isDirectory()) return markdown(join(at, entry.name));
    return entry.name.endsWith(".md") ? [join(at, entry.name)] : [];
  });
}

/** As GitHub makes them: lower case, words joined by "-", nothing else. */
function anchors(text: string): string[] {
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, title]) =>
    title!
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, "")
      .replace(/ /g, "-"),
  );
}

it("links to files and headings that exist", () => {
  const broken = markdown(".").flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8").replace(/^```.*?^```/gms, "");
    return [...text.matchAll(/\]\(([^)\s]+)\)/g)]
      .map(([, target]) => target!)
      .filter((target) => {
        if (/^https?:/.test(target)) return false;
        const [path, anchor] = target.split("#") as [string, string | undefined];
        const found = path === "" ? join(root, file) : join(root, dirname(file), path);
        return !existsSync(found) || (anchor !== undefined && !anchors(readFileSync(found, "utf8")).includes(anchor));
      })
      .map((target) => `${file}: ${target}`);
  });
  expect(broken).toEqual([]);
});
