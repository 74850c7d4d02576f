/** Calls to one API server at the same time. */
export const CONCURRENCY = 16;

/**
 * Runs a task for each item, some at the same time; results in the items' order. After a failure no further task begins;
 * those in progress end before it is thrown, so that nothing is written after the call.
 *
 * @param most number of tasks at the same time
 */
export async function parallel<Item, Result>(items: readonly Item[], task: (item: Item) => Promise<Result>, most = CONCURRENCY): Promise<Result[]> {
  const results: Result[] = [];
  const failures: unknown[] = [];
  let next = 0;
  const work = async () => {
    while (next < items.length && failures.length === 0) {
      const index = next++;
      try {
        results[index] = await task(items[index]!);
      } catch (error) {
        failures.push(error);
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  if (failures.length > 0) throw failures[0];
  return results;
}
