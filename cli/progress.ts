import { printError } from "./output";

/** Takes the number of parts of some work. Returns a function that counts one part as finished. */
export type Counter = (total: number) => () => void;

export const uncounted: Counter = () => () => undefined;

/** The progress line that is the last line of the terminal. There is at most one. */
let line: { readonly clear: () => void; readonly show: () => void } | undefined;

/** Shows on a terminal how long work has been running, and how many of its parts are finished. Elsewhere it writes nothing. */
export function progress(what: string, stream: NodeJS.WriteStream = process.stderr): Disposable & { readonly count: Counter } {
  if (!stream.isTTY || line !== undefined) return { count: uncounted, [Symbol.dispose]: () => undefined };
  const started = performance.now();
  let counted = "";
  const clear = () => void stream.write("\r\u001b[K");
  const show = () => void stream.write(`\r\u001b[K${what}: ${counted}${Math.round((performance.now() - started) / 1000)} s`);
  const timer = setInterval(show, 1000);
  line = { clear, show };
  show();
  return {
    count: (total) => {
      let done = 0;
      const say = () => (counted = `${done} of ${total}, `);
      say();
      show();
      return () => {
        done++;
        say();
      };
    },
    [Symbol.dispose]: () => {
      line = undefined;
      clearInterval(timer);
      clear();
    },
  };
}

/** Does work with a progress line. */
export async function during<T>(what: string, work: (count: Counter) => Promise<T>): Promise<T> {
  using shown = progress(what);
  return await work(shown.count);
}

/** Writes text above the progress line. */
export function writeAbove(text: string, write: (text: string) => void = printError): void {
  line?.clear();
  write(text);
  if (text.endsWith("\n")) line?.show();
}
