import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";

const root = join(__dirname, "../../..");

/** Words without a legitimate use in comments and Markdown, with plain replacements. */
const WORDS: readonly (readonly [pattern: RegExp, instead: string])[] = [
  [/\b(tells|told)\b/i, "returns, reports, shows"],
  [/\b(hears|deaf)\b/i, "receives, is notified of"],
  [/\bgoes by\b/i, "uses"],
  [/\bbears\b/i, "has the mark of, is owned by"],
  [/\b(is|are) none\b/i, "is invalid, is not a ..."],
  [/\bin place of\b/i, "instead of"],
  [/\bputs? (it |them )?right\b/i, "repairs"],
  [/\b(nobody|somebody|anybody|everybody|whoever)\b/i, "unowned, another writer, the caller"],
  [/\b(begun|under way)\b/i, "in progress"],
  [/\b(for ever|just now)\b/i, "indefinitely, now"],
  [/\bbesides?\b/i, "in addition to, next to"],
  [/\b(nothing but|none of them)\b/i, "only, no ..."],
];

/** Openings of comments that hide the subject. */
const OPENINGS = /^(What|Of|As many|That of|So is|With it)\b/;

/** Text of a line that people read; undefined for code. */
function proseOf(line: string, isMarkdown: boolean): string | undefined {
  if (isMarkdown) return /^ {4}\S/.test(line) ? undefined : line.replace(/\]\([^)]*\)/g, "]");
  return (/^\s*(?:\/\/|\/\*\*?|\*)\s?(.*)$/.exec(line) ?? /[;,{})\]]\s+\/\/ (.*)$/.exec(line))?.[1]?.replace(/\*\/.*$/, "");
}

function findingsIn(file: string, text: string): string[] {
  const isMarkdown = file.endsWith(".md");
  let isFenced = false;
  return text.split("\n").flatMap((line, index) => {
    if (isMarkdown && /^\s*```/.test(line)) isFenced = !isFenced;
    const prose = isFenced ? undefined : proseOf(line, isMarkdown)?.replace(/`[^`]*`/g, "");
    if (prose === undefined) return [];
    const found = WORDS.filter(([pattern]) => pattern.test(prose)).map(([pattern, instead]) => `${pattern.exec(prose)![0]}: ${instead}`);
    const isOpening = /^\s*(\/\*\*|\/\/) /.test(line) && OPENINGS.test(prose.trim());
    return [...found, ...(isOpening ? ["opening: begin with the subject"] : [])].map((finding) => `${file}:${index + 1}: ${finding}`);
  });
}

const allFiles = (): string[] =>
  execFileSync("git", ["ls-files", "*.ts", "*.mts", "*.mjs", "*.js", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");

it("has no words in comments and Markdown that plain English replaces", () => {
  const findings = allFiles()
    .filter((file) => file !== "test/unit/docs/words.test.ts")
    .flatMap((file) => findingsIn(file, readFileSync(join(root, file), "utf8")));
  expect(findings).toEqual([]);
});

it("finds such words in comments, not in code", () => {
  const source = "/** What the row bears. */\nconst told = `nobody`; // gone to whoever asks\n// A `told` value.\n";
  expect(findingsIn("a.ts", source)).toEqual([
    "a.ts:1: bears: has the mark of, is owned by",
    "a.ts:1: opening: begin with the subject",
    "a.ts:2: whoever: unowned, another writer, the caller",
  ]);
  expect(findingsIn("a.md", "It stays for ever.\n\n```\nfor ever\n```\n")).toEqual(["a.md:1: for ever: indefinitely, now"]);
});
