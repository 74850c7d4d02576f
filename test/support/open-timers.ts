/** Timers that were set from the start on, and have neither fired for the last time nor been cleared. */
export class OpenTimers {
  private readonly open = new Set<unknown>();
  private readonly spies: jest.SpyInstance[] = [];

  constructor() {
    const { setTimeout, setInterval, clearTimeout, clearInterval } = globalThis;
    const { open } = this;
    const set = (timer: typeof setTimeout | typeof setInterval, once: boolean) => (call: () => void, delay: number) => {
      const handle: unknown = timer(() => {
        if (once) open.delete(handle);
        call();
      }, delay);
      open.add(handle);
      return handle;
    };
    const clear = (timer: typeof clearTimeout) => (handle: NodeJS.Timeout) => {
      open.delete(handle);
      timer(handle);
    };
    const spy = (name: "setTimeout" | "setInterval" | "clearTimeout" | "clearInterval", how: (...args: never[]) => unknown) =>
      this.spies.push(jest.spyOn(globalThis, name).mockImplementation(how as never));
    spy("setTimeout", set(setTimeout, true));
    spy("setInterval", set(setInterval, false));
    spy("clearTimeout", clear(clearTimeout));
    spy("clearInterval", clear(clearInterval));
  }

  end(): number {
    for (const each of this.spies) each.mockRestore();
    return this.open.size;
  }
}
