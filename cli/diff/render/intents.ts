import type { IntentVerdict } from "../../simulate/intents/judge";
import type { IntentResult, IntentWith, JudgedIntent } from "../../simulate/intents/results";
import { plural } from "../../texts";
import type { IntentDifference } from "../model";
import { shortName } from "./sentences";

/** Pure. An intent in one line, without its mark. */
export function intentText({ kind, network, intent }: IntentDifference): string {
  return `intent of ${kind} ${shortName(network)}: ${shortName(intent, 300)}`;
}

export const INTENT_MARKS = { add: "+", change: "~", remove: "-" } as const;

interface IntentLine {
  readonly mark: string;
  readonly text: string;
}

type Verdicts<Verdict extends string> = Readonly<Record<Exclude<Verdict, "holds">, string>>;

const VERDICTS: Verdicts<IntentVerdict> = {
  broken: "BROKEN by the update",
  "broken-before": "broken before and after the update",
  mended: "holds again after the update",
  unknown: "not known",
};

/** Pure. Judged intents in one line each. Those that hold before and after are only counted. */
export function judgedLines(judged: readonly IntentResult[]): IntentLine[] {
  return linesOf(judged, VERDICTS, " before and after the update");
}

const VERDICTS_NOW: Verdicts<JudgedIntent["verdict"]> = { broken: "BROKEN", unknown: "not known" };

/** Pure. Intents at one time in one line each. Those that hold are only counted. */
export function linesNow(judged: readonly JudgedIntent[]): IntentLine[] {
  return linesOf(judged, VERDICTS_NOW, "");
}

function linesOf<Verdict extends string>(judged: readonly IntentWith<Verdict | "holds">[], verdicts: Verdicts<Verdict>, when: string): IntentLine[] {
  const holding = judged.filter(({ verdict }) => verdict === "holds").length;
  const lines = judged.flatMap(({ kind, network, intent, verdict, why }) =>
    verdict === "holds"
      ? []
      : [
          {
            mark: verdict === "broken" ? "!" : " ",
            text: `${verdicts[verdict as Exclude<Verdict, "holds">]}: ${kind} ${shortName(network)}: ${shortName(intent, 300)}${why === undefined ? "" : ` (${shortName(why, 300)})`}`,
          },
        ],
  );
  return holding === 0 ? lines : [...lines, { mark: " ", text: `${plural(holding, "intent")} ${holding === 1 ? "holds" : "hold"}${when}` }];
}
