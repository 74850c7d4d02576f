// A program with mocks: makes the component of each case of standard input, and prints what it reports. Late errors end a test of jest, and this
// program only if it does not handle them.
const pulumi = require("@pulumi/pulumi");
const ovn = require("pulumi-ovn");

const ODD = { null: null, undefined, text: "x", number: 7, true: true, list: [], object: {}, hole: { a: null }, function: () => 1, NaN };

const put = (args, path, value) => {
  const inner = path.slice(0, -1).reduce((part, key) => part[key], args);
  const before = inner[path.at(-1)];
  inner[path.at(-1)] = value(before);
};

async function run({ kind, args, later, isKnown, path, odd }) {
  const errors = [];
  const listen = (error) => errors.push(error);
  process.on("unhandledRejection", listen);
  await pulumi.runtime.setMocks({ newResource: ({ name, inputs }) => ({ id: name, state: inputs }), call: () => ({}) }, "net", "dev", !isKnown);
  put(args, later, (value) => (isKnown ? pulumi.output(Promise.resolve(value)) : pulumi.output(pulumi.unknown)));
  put(args, path, () => ODD[odd]);
  try {
    new ovn[kind]("it", args);
  } catch (error) {
    errors.push(error);
  }
  await pulumi.runtime.disconnect().catch(listen);
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
  process.off("unhandledRejection", listen);
  return [...new Set(errors.map((error) => `${error.name === "TypeError" ? "TypeError: " : ""}${error.message}`))];
}

async function main() {
  const chunks = [];
  for await (const chunk of process.stdin) chunks.push(chunk);
  const texts = [];
  for (const one of JSON.parse(Buffer.concat(chunks).toString())) texts.push(await run(one));
  process.stdout.write(JSON.stringify(texts));
}

void main();
