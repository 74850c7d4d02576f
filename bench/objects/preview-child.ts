import { readFileSync } from "node:fs";
import { Connections } from "@pulumi-ovn/provider/targets";
import { handlers } from "@pulumi-ovn/provider/tools";
import type { Taken } from "../kit/measure";
import type { Previewed } from "./preview";

/** Runs the work of a new provider process for one resource in a preview, and prints its time. */
async function main(file: string): Promise<void> {
  const { kind, kubeconfig, urn, inputs, outs, news, refresh } = JSON.parse(readFileSync(file, "utf8")) as Previewed;
  const handler = handlers[kind]!;
  const targets = new Connections({}, {}, { prod: { kubeconfig } });
  const request = { urn, secrets: [], targets };
  const found = refresh ? await handler.read({ ...request, id: "id", olds: outs }) : { inputs, props: outs };
  const { inputs: checked, diagnostics } = await handler.check({ ...request, olds: found!.inputs!, news, preview: true });
  if (diagnostics.length > 0) throw new Error(diagnostics[0]!.message);
  if (handler.diff({ olds: found!.props, news: checked }).changes) throw new Error("something has changed");
  const { user, system } = process.cpuUsage();
  console.log(JSON.stringify({ clock: performance.now(), processor: (user + system) / 1000 } satisfies Taken));
  await targets.close();
}

void main(process.argv[2]!);
