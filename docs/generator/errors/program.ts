import type { Entries } from "./types";

/** Codes that stop a program before anything is written. */
export const programCodes: Entries = {
  OVN_ARGUMENT: ["A pure function or a lookup (`expandLayer2Network`, `getRouter`) refuses its arguments. `failures` lists the codes above.", ""],
  OVN_CLEAR_CREDENTIALS: [
    "`kubernetes:kubeconfig` contains credentials in clear text, which Pulumi would keep in the state.",
    "Name a file, or use `pulumi config set --secret`.",
  ],
  OVN_DELETED_WITH: [
    "The option `deletedWith` names a resource of this package; the rows of this resource would remain.",
    "Omit it, or name a resource of another package.",
  ],
  OVN_DISAGREEMENT: [
    "Two resources of the program disagree about a value that must be equal in all zones (tunnel or port key, gateway, node id, transit or join subnet).",
    "",
  ],
  OVN_EGRESS_CONFLICT: ["Two `EgressIPPolicy` resources use one egress address, mark or workload.", ""],
  OVN_IMPORT: [
    "The option `import` is set; Pulumi does not pass it to dynamic providers, so `pulumi import` fails too (`code must be a string`).",
    "[Adopt](../how-to/adoption.md) rows, or [generate a program](../how-to/import.md).",
  ],
  OVN_LOG: ["The file in `PULUMI_OVN_LOG` can't be written.", ""],
  OVN_MATCH: [
    "`parseMatch` can't parse the expression. The error has `column` (from 1), `expected` and `nearest`.",
    "See [match expressions](match-expressions.md).",
  ],
  OVN_NODE: ["Node.js is older than 22.12.", "Install a newer one, or put it first on `PATH`."],
  OVN_TARGETS: [
    "The file of targets or `PULUMI_OVN_ZONES` is unreadable or invalid, two zones share an endpoint, or the configuration still has `ovn:zones`.",
    "See [targets](targets.md).",
  ],
};
