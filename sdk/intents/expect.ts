import type { IntentArgs } from "@pulumi-ovn/provider";
import type { Layer2Network } from "../components/layer2-network";
import type { Vpc } from "../components/vpc";
import { refusal } from "../program-error";
import { bookOf } from "./book";

/**
 * States what packets of a network must do. `pulumi-ovn simulate` checks it before and after a plan, and fails if the plan breaks it.
 * An intent is part of the network's own entry in the state, and writes to no target. Throws an error with all that is wrong, before
 * anything is registered. Call it before the program's first `await` after the network.
 *
 * @example
 * ovn.expect(blue, { from: "web1", to: { labels: { role: "db" } }, protocol: "tcp", port: 5432, reach: true });
 * ovn.expect(blue, { from: { labels: {} }, to: { address: "203.0.113.9" }, reach: true, sourceAddress: "192.0.2.7", byNode: "node2" });
 */
export function expect(network: Layer2Network | Vpc, intent: IntentArgs): void {
  const book = bookOf(network);
  if (book === undefined) throw refusal("an intent", [{ path: "network", code: "resource", message: "expected a Layer2Network or a Vpc" }]);
  book.add(intent);
}
