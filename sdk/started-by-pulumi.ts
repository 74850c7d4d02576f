const STARTED = /[\\/]@pulumi[\\/]pulumi[\\/]cmd[\\/](?:run|dynamic-provider)[\\/]/;

/** Whether this process is a stack program that Pulumi runs, or a provider: not somebody's own program that holds one, nor a test. */
export function isStartedByPulumi(program: string | undefined = process.argv[1]): boolean {
  return program !== undefined && STARTED.test(program);
}
