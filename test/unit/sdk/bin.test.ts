import { readFileSync } from "node:fs";
import { join } from "node:path";

const sdk = join(__dirname, "../../../sdk");

it("the sdk's command starts the command line tools", () => {
  const { dependencies, bin } = JSON.parse(readFileSync(join(sdk, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
    bin: Record<string, string>;
  };
  expect(Object.keys(dependencies)).toContain("@pulumi-ovn/cli");
  expect(readFileSync(join(sdk, bin["pulumi-ovn"]!), "utf8")).toContain('require("@pulumi-ovn/cli").main(');
});
