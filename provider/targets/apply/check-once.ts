const checks = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Makes a check of a target once for an update, because it may take as long as a write. A failed check is made again.
 * @param scope connections of the update
 */
export async function checkOnce(scope: object, target: string, make: () => Promise<void>): Promise<void> {
  const ofScope = checks.get(scope) ?? new Map<string, Promise<void>>();
  checks.set(scope, ofScope);
  const check = ofScope.get(target) ?? make();
  ofScope.set(target, check);
  try {
    await check;
  } catch (error) {
    ofScope.delete(target);
    throw error;
  }
}
