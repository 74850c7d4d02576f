const UNIT_SECONDS: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1e-3, us: 1e-6, µs: 1e-6, ns: 1e-9 };

/** Seconds of a duration of the Kubernetes API (Go's time.ParseDuration), such as `1m30s`; undefined for one that can't be read. */
export function durationSeconds(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:h|ms|m|s|us|µs|ns))+$/.test(text)) return undefined;
  const parts = [...text.matchAll(/(\d+(?:\.\d+)?)(h|ms|m|s|us|µs|ns)/g)];
  return parts.reduce((sum, [, amount, unit]) => sum + Number(amount) * UNIT_SECONDS[unit!]!, 0);
}
