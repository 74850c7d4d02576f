import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { loadKubeConfig } from "@pulumi-ovn/provider/testing";

const folder = mkdtempSync(join(tmpdir(), "kubeconfigs-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface Entries {
  readonly current?: string;
  /** Contexts: cluster, user. */
  readonly contexts?: Readonly<Record<string, readonly [string, string]>>;
  /** Servers. */
  readonly clusters?: Readonly<Record<string, string>>;
  /** Tokens. */
  readonly users?: Readonly<Record<string, string>>;
}

function file(name: string, { current, contexts = {}, clusters = {}, users = {} }: Entries): string {
  const named = <Value>(key: string, entries: Readonly<Record<string, Value>>, make: (value: Value) => object) =>
    Object.entries(entries).map(([own, value]) => ({ name: own, [key]: make(value) }));
  writeFileSync(
    join(folder, name),
    JSON.stringify({
      apiVersion: "v1",
      kind: "Config",
      ...(current !== undefined && { "current-context": current }),
      contexts: named("context", contexts, ([cluster, user]) => ({ cluster, user })),
      clusters: named("cluster", clusters, (server) => ({ server })),
      users: named("user", users, (token) => ({ token })),
    }),
  );
  return name;
}

/** Server and token that the files of KUBECONFIG lead to. */
async function led(files: readonly string[], settings: object = {}): Promise<(string | undefined)[]> {
  const config = await loadKubeConfig(settings, { folder, environment: { KUBECONFIG: files.join(delimiter) } });
  return [config.getCurrentCluster()?.server, config.getCurrentUser()?.token];
}

const ONE = file("one", {
  current: "admin",
  contexts: { admin: ["kubernetes", "admin"] },
  clusters: { kubernetes: "https://one" },
  users: { admin: "token-one" },
});
const TWO = file("two", {
  current: "other",
  contexts: { admin: ["other", "other"], other: ["kubernetes", "other"] },
  clusters: { kubernetes: "https://two", other: "https://other" },
  users: { admin: "token-two", other: "token-other" },
});
const OPEN = file("open", { clusters: { kubernetes: "https://open" } });

describe("several files of KUBECONFIG", () => {
  it("are merged: the first file's entry of a name wins, and so does its context", async () => {
    expect(await led([ONE, TWO])).toEqual(["https://one", "token-one"]);
    expect(await led([TWO, ONE])).toEqual(["https://two", "token-other"]);
    expect(await led([ONE, "nowhere", TWO], { context: "other" })).toEqual(["https://one", "token-other"]);
    expect(await led([ONE, TWO], { cluster: "other" })).toEqual(["https://other", "token-one"]);
  });

  it("use the context of the first file that names one", async () => {
    expect(await led([OPEN, TWO, ONE])).toEqual(["https://open", "token-other"]);
    expect(await led([OPEN, ONE])).toEqual(["https://open", "token-one"]);
  });

  it("are ignored if a kubeconfig is named, and in a pod with inCluster", async () => {
    expect(await led([TWO], { kubeconfig: ONE })).toEqual(["https://one", "token-one"]);
    await expect(led([TWO], { inCluster: true })).rejects.toMatchObject({ code: "OVN_KUBECONFIG" });
  });
});
