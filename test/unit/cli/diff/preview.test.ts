import { readPreview } from "@pulumi-ovn/cli/diff";

const ROOT = "urn:pulumi:dev::trial::pulumi:pulumi:Stack::trial-dev";
const refusal = (text: string) => {
  try {
    readPreview(text, "p.json");
  } catch (error) {
    return `${(error as { code: string }).code}: ${(error as Error).message}`;
  }
  throw new Error("was read");
};

it("reads Pulumi's output, also without optional fields", () => {
  expect(readPreview(`\ufeff{"duration": 5, "changeSummary": {"same": 1}}\n`, "p.json")).toMatchObject({ steps: [], diagnostics: [] });
  expect(readPreview(JSON.stringify({ steps: null, diagnostics: null }), "p.json")).toEqual({ steps: [], diagnostics: [] });
  const text = JSON.stringify({
    steps: [{ op: "create", urn: ROOT, oldState: null, newState: { type: "t" }, detailedDiff: null, new: "later" }],
    diagnostics: [{ message: "m" }],
  });
  expect(readPreview(text, "p.json")).toMatchObject({
    steps: [{ op: "create", newState: { type: "t", inputs: {} } }],
    diagnostics: [{ message: "m", severity: "info" }],
  });
});

const NOT = 'OVN_PREVIEW: p.json is JSON, but not what "pulumi preview --json" prints: ';
it.each([
  ["", "OVN_PREVIEW: p.json is empty; did the preview fail?"],
  [" \n", "OVN_PREVIEW: p.json is empty; did the preview fail?"],
  ['{"steps": [{"op": "create", "urn": "urn:pul', "OVN_PREVIEW: p.json is not complete: it ends in the middle of the JSON text"],
  ['{"steps": [,]}', "OVN_PREVIEW: p.json is not JSON"],
  [
    "Previewing update (dev):\n + 3 to create\n",
    'OVN_PREVIEW: p.json is not JSON: it begins with "Previewing update (dev):"; run "pulumi preview --json", and save its standard output alone',
  ],
  [
    `${"x".repeat(100)}\u001b`,
    `OVN_PREVIEW: p.json is not JSON: it begins with "${"x".repeat(60)}"; run "pulumi preview --json", and save its standard output alone`,
  ],
  ["[]", `${NOT}it is a list`],
  ["null", `${NOT}it is null`],
  ["{}", `${NOT}it is an empty object`],
  ['{"format_version":"1.2","resource_changes":[]}', `${NOT}it has "format_version", "resource_changes", and no "steps"`],
  ['{"version":3,"deployment":{}}', `${NOT}it has "version", "deployment", and no "steps"`],
  [
    '{"sequence":0,"timestamp":1,"preludeEvent":{}}\n{"sequence":1}\n',
    'OVN_PREVIEW: p.json is a stream of engine events; unset the variable PULUMI_ENABLE_STREAMING_JSON_PREVIEW, or name a file with the output of "pulumi preview --json" alone',
  ],
  [
    '{"sequence":0,"timestamp":1,"preludeEvent":{}}',
    'OVN_PREVIEW: p.json is a stream of engine events; unset the variable PULUMI_ENABLE_STREAMING_JSON_PREVIEW, or name a file with the output of "pulumi preview --json" alone',
  ],
  ['{"steps": {"op": "x"}}', 'OVN_PREVIEW: p.json is not what "pulumi preview --json" prints: steps: Invalid input: expected array, received object'],
  [
    '{"steps": [{"op": "create", "urn": 7}]}',
    'OVN_PREVIEW: p.json is not what "pulumi preview --json" prints: steps.0.urn: Invalid input: expected string, received number',
  ],
  [
    '{"steps": [{"op": "create", "urn": "u", "newState": {"type": "t", "inputs": []}}]}',
    'OVN_PREVIEW: p.json is not what "pulumi preview --json" prints: steps.0.newState.inputs: Invalid input: expected record, received array',
  ],
])("refuses %j", (text, message) => {
  expect(refusal(text)).toBe(message);
});
