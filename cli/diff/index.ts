/** What a preview changes, for people who read it: pure, from the text of `pulumi preview --json` to a document. */
export { differenceOf } from "./difference";
export { hasChanges, type Difference } from "./model";
export { readPreview } from "./preview";
export { compose, type Format } from "./render/document";
export { jsonFormat } from "./render/json";
export { markdownFormat } from "./render/markdown";
export { textFormat } from "./render/text";
