/**
 * Options of Node.js for Pulumi's processes: every run of the engine loads the same thousand modules of Pulumi's, twice, before any of
 * this package.
 * @param given those of the environment, which stay
 */
export function keepingCompiled(given: string | undefined, preload: string = require.resolve("@pulumi-ovn/provider/kept-compiled")): string {
  const option = `--require ${JSON.stringify(preload)}`;
  return given ? `${given} ${option}` : option;
}
