import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { z } from "zod";

const root = join(__dirname, "../../..");

/** What is loaded by now, of modules with such a part in their paths. */
const loaded = (part: string) => Object.keys(require.cache).filter((path) => path.includes(`/node_modules/${part}`));

it("loads what Pulumi's package and zod hardly ever use when it is used", () => {
  expect([loaded("@pulumi/pulumi/automation/"), loaded("zod/v4/locales/fr."), loaded("normalize-package-data/")]).toEqual([[], [], []]);
  expect(loaded("@pulumi/pulumi/output.js")).toHaveLength(1);
  expect(pulumi.automation.LocalWorkspace.name).toBe("LocalWorkspace");
  expect(z.string().safeParse(1).error!.issues[0]!.message).toBe("Invalid input: expected string, received number");
  expect(Object.keys(z.locales.fr())).toEqual(["localeError"]);
  expect([loaded("@pulumi/pulumi/automation/localWorkspace.js"), loaded("zod/v4/locales/fr.")].map((found) => found.length)).toEqual([1, 1]);
});

describe("a module that changes while tests run", () => {
  let folder: string;
  afterEach(() => rm(folder, { recursive: true }));

  /** What it says at first, and when it has been written anew and all modules are forgotten. */
  const said = async (parent: string) => {
    folder = await mkdtemp(join(parent, "runtime-"));
    const path = join(folder, "module.js");
    const load = async (text: string) => {
      await writeFile(path, `exports.said = { text: ${JSON.stringify(text)} };`);
      jest.resetModules();
      return (require(path) as { said: { text: string } }).said;
    };
    return [await load("first"), await load("second")] as const;
  };

  it("is read anew where tests write", async () => {
    const [first, second] = await said(tmpdir());
    expect([first.text, second.text]).toEqual(["first", "second"]);
  });

  it("is read once in this repository, whose files stay as they are, and evaluated anew", async () => {
    const [first, second] = await said(join(root, "node_modules"));
    expect([first.text, second.text]).toEqual(["first", "first"]);
    expect(second).not.toBe(first);
  });
});
