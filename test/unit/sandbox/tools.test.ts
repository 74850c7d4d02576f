import { prepareTools } from "@pulumi-ovn/sandbox/testing";

it("fetches one tool after the other, and reports unavailable ones", async () => {
  const done: string[] = [];
  const written: string[] = [];
  await prepareTools(
    (text) => written.push(text.replace(/\d+ ms/, "N ms")),
    [
      ["first", () => Promise.reject(new Error("there is no go"))],
      [
        "second",
        async (report) => {
          report("building");
          await Promise.resolve();
          done.push("second");
        },
      ],
      ["third", () => Promise.resolve(done.push("third"))],
    ],
  );
  expect(done).toEqual(["second", "third"]);
  expect(written.join("")).toBe(
    "> first\n    not to be had: there is no go\n    done in N ms\n> second\n    building\n    done in N ms\n> third\n    done in N ms\n",
  );
});
