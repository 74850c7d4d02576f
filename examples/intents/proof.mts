import { readFile } from "node:fs/promises";
import { attempt, blocked, type Check, connects, type Example, pingable, type Scenario, serving } from "@pulumi-ovn/sandbox";

/** MACs derive from the addresses. */
const server = (name: string, host: string, last: number) => ({ name, host, mac: `0a:58:0a:50:00:${last.toString(16).padStart(2, "0")}`, addresses: [`10.80.0.${last}/16`], gateways: ["10.80.0.1"] });

/** The comment that the page about intents shows, as Markdown. */
async function shownComment(): Promise<string> {
  const page = await readFile(new URL("../../docs/how-to/intents.md", import.meta.url), "utf8");
  return [...page.matchAll(/^> ?(.*)$/gm)].map(([, line]) => line).join("\n");
}

/** The command in the pull request fails, because the change breaks an intent. */
const refused = (example: Example): Promise<Check> =>
  attempt("the command in the pull request fails", "diff --simulate --markdown", async () => {
    const output = await example.tool("diff", "--simulate", "--markdown").then(() => "", (error: Error) => error.message);
    if (!output.includes("OVN_INTENT: the update breaks 1 of 3 intents")) throw new Error(output || "the command succeeds");
    if (!output.includes(await shownComment())) throw new Error(`docs/how-to/intents.md shows another comment than:\n${output}`);
    return "the update breaks 1 of 3 intents";
  });

const setClosed = async (example: Example, isClosed: boolean): Promise<void> => {
  await example.run("config", "set", "shop:closed", String(isClosed));
};

export default {
  sandbox: { hosts: 2, workloads: [server("web1", "node1", 11), server("db1", "node2", 21)] },

  prove: ({ sandbox, example }): Promise<Check[]> =>
    serving(sandbox, "db1", 5432, async () => {
      const reaches = (what: string) => connects(sandbox, what, "web1", "10.80.0.21", 5432, ["db1"]);
      const before = [await reaches("the web server reaches the database"), await pingable(sandbox, "and the network outside", "web1", "192.0.2.1")];
      await setClosed(example, true);
      const simulated = await refused(example);
      await example.changes("up"); // `up` does not judge intents
      const closed = await blocked(sandbox, "after the update, as simulated, it does not reach the database", "web1", "10.80.0.21", 5432);
      await setClosed(example, false);
      await example.changes("up");
      return [...before, simulated, closed, await reaches("after the change is undone, it does")];
    }),
} satisfies Scenario;
