/// <reference lib="dom" />
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { fold, layout, page, sceneOf, svg } from "@pulumi-ovn/cli/testing";
import { browser } from "@pulumi-ovn/sandbox";
import { drawnNetwork } from "../../support/drawn-network";

const folder = mkdtempSync(join(tmpdir(), "page-"));
let running: Browser;
beforeAll(async () => {
  const { program, env } = await browser();
  running = await chromium.launch({ executablePath: program, env: { ...process.env, ...env }, args: ["--no-sandbox"] });
});
afterAll(async () => {
  await running?.close();
  rmSync(folder, { recursive: true });
});

/** A page in a browser without a network, and everything that went wrong in it: errors, messages, dialogs, requests. */
async function opened(text: string): Promise<{ shown: Page; trouble: string[] }> {
  const path = join(folder, "page.html");
  writeFileSync(path, text);
  const shown = await running.newPage({ viewport: { width: 1400, height: 900 } });
  await shown.context().setOffline(true);
  const trouble: string[] = [];
  const url = pathToFileURL(path).href;
  shown.on("console", (message) => trouble.push(`console: ${message.text()}`));
  shown.on("pageerror", (error) => trouble.push(`error: ${error.message}`));
  shown.on("dialog", (dialog) => void trouble.push(`dialog: ${dialog.message()}`));
  shown.on("request", (request) => request.url() !== url && trouble.push(`request: ${request.url()}`));
  await shown.goto(url);
  return { shown, trouble };
}

const guests = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`vm${index + 1}`, { zone: "node1", addresses: [`10.0.0.${index + 11}`] }]));
const before = drawnNetwork("blue", { node1: {}, node2: { addresses: ["192.0.2.12/24"] } }, guests);
const after = drawnNetwork("blue", { node1: {}, node2: { addresses: ["192.0.2.22/24"] } }, { ...guests, vm1: { zone: "node2", addresses: ["10.0.0.11"] } });
const pictured = { stack: "net/dev", before, after };
const difference = sceneOf(pictured, "topology");

it("shows what a box comes from, finds folded things, and toggles before and after, by pointer and by keyboard", async () => {
  const { shown, trouble } = await opened(page(pictured, difference, [{ title: "Live", columns: ["host"], rows: [{ cells: ["node1"], error: true }] }]));
  const visible = () => shown.locator(".side:visible");
  const details = () => shown.locator("#details").innerText();

  await visible().locator('[data-box="network blue gateway node2"]').click();
  expect(await details()).toContain("GR_blue_node2 in zone node2 (changed)");
  expect(await details()).toMatch(
    /- 192.0.2.12\/24[^]*\+ 192.0.2.22\/24[^]*GatewayRouter blue-gateway-node2[^]*before: arguments[^]*192.0.2.12\/24[^]*after: arguments[^]*192.0.2.22\/24/,
  );

  await shown.locator("#search").fill("10.0.0.30");
  expect(await shown.locator("#found").innerText()).toBe("1 found");
  expect(await visible().locator("[data-box].hit title").allTextContents()).toEqual([expect.stringMatching(/^\d+ workloads/)]);
  await shown.locator("#results button").click();
  expect(await details()).toMatch(/vm20 in zone node1[^]*10.0.0.30[^]*NetworkMembers blue-members/);

  expect(await shown.locator("#changes button").allTextContents()).toEqual([
    "GR_blue_node2 in zone node2: changed",
    "vm1: moves from zone node1 to zone node2",
  ]);
  const texts = async () => (await visible().locator("text").allTextContents()).join("\n");
  await shown.locator("input[value=before]").check();
  expect([(await texts()).includes("192.0.2.12/24"), (await texts()).includes("192.0.2.22/24")]).toEqual([true, false]);
  await shown.locator("input[value=after]").check();
  expect([(await texts()).includes("192.0.2.12/24"), (await texts()).includes("192.0.2.22/24")]).toEqual([false, true]);

  const scale = () => shown.locator("#canvas").evaluate((canvas) => getComputedStyle(canvas).transform);
  const whole = await scale();
  await shown.locator("#view").focus();
  await shown.keyboard.press("+");
  await shown.waitForFunction((old) => getComputedStyle(document.querySelector("#canvas")!).transform !== old, whole);
  await shown.keyboard.press("Tab");
  await shown.keyboard.press("Enter");
  const focused = await shown.evaluate(() => [document.activeElement!.getAttribute("role"), document.activeElement!.querySelector("title")!.textContent]);
  expect(focused[0]).toBe("button");
  expect(await details()).toContain(focused[1]!.split("\n")[0]!);
  expect(await shown.locator("tr.error").innerText()).toMatch(/!\s+node1/);
  expect(trouble).toEqual([]);
});

it("shows one path of a connection at a time, on a side that has it", async () => {
  const boxes = ["network blue workloads vm2", "network blue switch", "network blue workloads vm30"];
  const effect = {
    kind: "Lost",
    text: "vm2 to vm30",
    ways: [
      { side: "before", boxes, end: "", text: "vm2 to vm30" },
      { side: "after", boxes: boxes.slice(0, 2), end: "lost", text: "dropped" },
    ],
  } as const;
  const { shown, trouble } = await opened(page(pictured, difference, [], { summary: "1 connection", effects: [effect] }));
  const drawn = () => shown.locator(".way:visible > title").allTextContents();
  const button = (name: string) => shown.getByRole("button", { name });
  expect(await drawn()).toEqual([]);
  await button("before: vm2 to vm30").click();
  expect(await drawn()).toEqual(["vm2 to vm30"]);
  expect(await shown.locator(".way:visible .number").allTextContents()).toEqual(["1", "2", "3"]);
  await shown.locator("input[value=before]").check();
  await button("after: dropped").focus();
  await shown.keyboard.press("Enter");
  expect([await drawn(), await shown.locator("input[value=changes]").isChecked()]).toEqual([["dropped"], true]);
  expect(await shown.locator(".way:visible .end").allTextContents()).toEqual(["✕ lost"]);
  expect(await shown.locator("[data-way][aria-pressed=true]").allTextContents()).toEqual(["after: dropped"]);
  await button("after: dropped").click();
  expect([await drawn(), await shown.locator("[data-way][aria-pressed=true]").count(), trouble]).toEqual([[], 0, []]);
});

it("follows the reader's dark scheme", async () => {
  const { shown } = await opened(page(pictured, difference));
  const paper = () =>
    shown
      .locator(".paper")
      .first()
      .evaluate((shape) => getComputedStyle(shape).fill);
  const colours = [];
  for (const colorScheme of ["light", "dark"] as const) {
    await shown.emulateMedia({ colorScheme });
    colours.push(await paper());
  }
  expect(colours).toEqual(["rgb(255, 255, 255)", "rgb(13, 17, 23)"]);
});

it("shows hostile names as text, in the page and in the picture", async () => {
  const names = [
    '</script><script>alert("x")</script>',
    "<img src=x onerror=alert(1)>",
    '" onclick="alert(1)',
    "\u202eright to left",
    "a".repeat(300),
    "]]>&amp;",
  ];
  const nodes = Object.fromEntries(names.map((name) => [name, {}]));
  const hostile = drawnNetwork(names[0]!, nodes, Object.fromEntries(names.map((name) => [name, { zone: name, addresses: [name] }])));
  const all = { stack: names[0]!, before: undefined, after: hostile };
  const scene = sceneOf(all, "topology");
  const { shown, trouble } = await opened(page(all, scene, [{ title: names[0]!, columns: [names[1]!], rows: [{ cells: [names[2]!], error: false }] }]));
  for (const box of await shown.locator("[data-box]").all()) await box.press("Enter");
  await shown.locator("#search").fill("alert");
  for (const result of await shown.locator("#results button").all()) await result.click();
  expect(await shown.locator("script").count()).toBe(3);
  expect(await shown.locator("img, [onclick], [onerror]").count()).toBe(0);
  expect(await shown.locator("[data-box] text.title").allTextContents()).toContain("]]>&amp;");
  const parsed = await shown.evaluate(
    (text) => new DOMParser().parseFromString(text, "image/svg+xml").querySelectorAll("parsererror, script").length,
    svg(layout(fold(scene))),
  );
  expect([parsed, trouble]).toEqual([0, []]);
});
