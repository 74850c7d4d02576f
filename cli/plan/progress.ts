/** Shows on a terminal how long something has been running. Elsewhere it writes nothing. */
export function progress(what: string, stream: NodeJS.WriteStream = process.stderr): Disposable & { readonly write: (text: string) => void } {
  if (!stream.isTTY) return { write: (text) => void stream.write(text), [Symbol.dispose]: () => undefined };
  const started = performance.now();
  const clear = () => void stream.write("\r\u001b[K");
  const show = () => void stream.write(`\r\u001b[K${what}: ${Math.round((performance.now() - started) / 1000)} s`);
  const timer = setInterval(show, 1000);
  show();
  return {
    // Whole lines of others go above.
    write: (text) => {
      clear();
      stream.write(text);
      if (text.endsWith("\n")) show();
    },
    [Symbol.dispose]: () => {
      clearInterval(timer);
      clear();
    },
  };
}
