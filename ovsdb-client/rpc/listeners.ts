/** Listeners of a caller: their mistakes are the program's, and must not stop the message at hand. */
export class Listeners<L extends object> {
  private readonly all = new Set<L>();

  /** Returns a function that ends the subscription. */
  add(listener: L): () => void {
    this.all.add(listener);
    return () => void this.all.delete(listener);
  }

  tell(how: (listener: L) => void): void {
    for (const listener of [...this.all]) {
      try {
        how(listener);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }
}
