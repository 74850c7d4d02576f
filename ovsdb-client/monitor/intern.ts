/** Distinct strings after which a pool gives up. */
const MOST = 2048;
/** Strings after which it gives up when none has come twice: a column of names has as many as rows, and gains nothing. */
const ALL_NEW = 256;

/**
 * Keeps one copy of strings that come again and again. Rows of a big table mostly say the same things (map
 * keys, namespaces, owners); JSON.parse makes a new string for each of them.
 */
export class StringPool {
  private pool: Map<string, string> | undefined = new Map();
  private most = ALL_NEW;

  intern<T>(value: T): T {
    if (typeof value !== "string" || this.pool === undefined) return value;
    const known = this.pool.get(value);
    if (known !== undefined) {
      this.most = MOST;
      return known as T;
    }
    if (this.pool.size < this.most) this.pool.set(value, value);
    else this.pool = undefined;
    return value;
  }
}
