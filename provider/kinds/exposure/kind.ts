import { defineKind } from "../define";
import { ArgumentError } from "../../kit/arguments/errors";
import type { World } from "../../backends/contract/kind";
import { announcedByAgents } from "./agent/announced";
import type { AgentFacts } from "./agent/facts";
import { observeAgent } from "./agent/observe";
import { renderAgent } from "./agent/render";
import { type BgpExposureSpec, type OvnExposureSpec, schema } from "./args";
import type { ExposureFacts } from "./facts";
import { observe } from "./observe";
import { renderOvn } from "./ovn";

/** Observed facts in the form of each mode. */
export type Seen = ExposureFacts | AgentFacts;

const ofOvn = (spec: BgpExposureSpec): OvnExposureSpec => ({ ...spec, routers: spec.routers ?? {} });

/** The kind of BGP exposures. */
export const bgpExposure = defineKind<BgpExposureSpec, Seen>({
  backend: "rows",
  name: "BgpExposure",
  database: "OVN_Northbound",
  schema,
  observe: (spec: BgpExposureSpec, access: World) => (spec.mode === "ovn" ? observe(ofOvn(spec), access) : observeAgent(spec, access)),
  render: (spec, seen) => {
    const agent = "named" in seen;
    // If the zone cannot be reached, only the facts of an earlier update are available.
    if (agent !== (spec.mode === "agent")) throw ArgumentError.of("mode", "value", "the zone's database must be reached to change the mode");
    return agent ? renderAgent(spec, seen) : renderOvn(ofOvn(spec), seen);
  },
  survey: {
    unseen: { announced: {} },
    look: async (spec, seen, access) => ({
      announced: "named" in seen ? await announcedByAgents(spec, access) : renderOvn(ofOvn(spec), seen).outputs!["announced"],
    }),
  },
  outputs: ["announced", "tables"],
});
