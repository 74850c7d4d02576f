import { PolicyPack } from "@pulumi/policy";
import { ovnPolicies } from "./index";

// `--policy-pack node_modules/@pulumi-ovn/policies` runs the package's `main`, which is this file; imports get index.ts by `exports`.
void new PolicyPack("pulumi-ovn", { policies: ovnPolicies, enforcementLevel: "mandatory" });
