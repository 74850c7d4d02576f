/** Settings of a target that had another name in an earlier release: files of targets that have it go on. */
const RENAMED: Readonly<Record<string, string>> = { deadline: "timeout" };

/** Targets of one sort by name, with former names of settings replaced. Other shapes are left to the schema. */
export function withNamesOfToday(targets: unknown): unknown {
  return mapped(targets, (settings) =>
    isObject(settings) ? Object.fromEntries(Object.entries(settings).map(([name, value]) => [nameOfToday(name, settings), value])) : settings,
  );
}

/** The same with all sorts of targets. */
export function sortsWithNamesOfToday(file: unknown): unknown {
  return mapped(file, withNamesOfToday);
}

/** With both names there would be two values: the schema refuses the former one. */
function nameOfToday(name: string, settings: object): string {
  const today = Object.hasOwn(RENAMED, name) ? RENAMED[name]! : name;
  return Object.hasOwn(settings, today) ? name : today;
}

function mapped(value: unknown, change: (item: unknown) => unknown): unknown {
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, item]) => [name, change(item)])) : value;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
