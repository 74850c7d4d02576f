export interface Metric {
  readonly name: string;
  readonly type: "gauge" | "counter";
  readonly help: string;
  /** Values by the value of a label. */
  readonly values: readonly (readonly [labels: string, value: number])[];
}

export const gauge = (name: string, help: string, value: number): Metric => ({ name, type: "gauge", help, values: [["", value]] });
export const counter = (name: string, help: string, value: number): Metric => ({ name, type: "counter", help, values: [["", value]] });

/** Seconds between two times in milliseconds since the epoch. 0 if the clock was set back in between. */
export const secondsSince = (at: number, now: number): number => Math.max(0, now - at) / 1000;

/** How many problems have each code, with the code as a label. */
export function byCode(problems: readonly { readonly code: string }[]): [string, number][] {
  const counts = Map.groupBy(problems, ({ code }) => code);
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1)).map(([code, own]) => [`{code="${code}"}`, own.length]);
}

/** Pure. Prometheus' text format, version 0.0.4. */
export function prometheusText(prefix: string, metrics: readonly Metric[]): string {
  return metrics
    .map(({ name, type, help, values }) =>
      [`# HELP ${prefix}${name} ${help}`, `# TYPE ${prefix}${name} ${type}`, ...values.map(([labels, value]) => `${prefix}${name}${labels} ${value}`), ""].join(
        "\n",
      ),
    )
    .join("");
}
