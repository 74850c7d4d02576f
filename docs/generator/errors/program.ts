import type { Entries } from "./types";

/** Codes that stop a program before anything is written. */
export const programCodes: Entries = {
  OVN_ARGUMENT: ["A pure function or a lookup (`expandLayer2Network`, `getRouter`) refuses its arguments. `failures` lists the codes above.", ""],
  OVN_CLEAR_CREDENTIALS: [
    "`kubernetes:kubeconfig` contains credentials in clear text, which Pulumi would keep in the state.",
    "Name a file, or use `pulumi config set --secret`.",
  ],
  OVN_DELETED_WITH: ["", ""],
  OVN_DISAGREEMENT: ["Two resources differ in a value that must be equal in all zones, such as a tunnel key.", ""],
  OVN_EGRESS_CONFLICT: ["", ""],
  OVN_IMPORT: [
    "Dynamic providers can't use the option `import`, nor `pulumi import` (`code must be a string`).",
    "[Adopt](../how-to/adoption.md) rows, or [generate a program](../how-to/import.md).",
  ],
  OVN_LOG: ["", ""],
  OVN_MATCH: ["`parseMatch` can't parse the expression.", "See [match expressions](match-expressions.md)."],
  OVN_NODE: ["", ""],
  OVN_TARGETS: [
    "The file of targets or `PULUMI_OVN_ZONES` is unreadable or invalid, zones share an endpoint, or the configuration has `ovn:zones`.",
    "See [targets](targets.md).",
  ],
};
