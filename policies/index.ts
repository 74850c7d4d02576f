import type { Policies } from "@pulumi/policy";
import { mostTargets } from "./most-targets";
import { names } from "./names";
import { noAllowAll } from "./no-allow-all";
import { portSecurity } from "./port-security";
import { routersStay } from "./routers-stay";
import { snatOrAnnouncement } from "./snat-or-announcement";

export { mostTargets, names, noAllowAll, portSecurity, routersStay, snatOrAnnouncement };

/** All policies of this package, for a `PolicyPack` of your own. Each is configured by its name; see docs/how-to/policies.md. */
export const ovnPolicies: Policies = [mostTargets, names, noAllowAll, portSecurity, routersStay, snatOrAnnouncement];
